import type { ProbedStream } from "./ffprobe-output.ts";

const maxLength = 60;

/** The name of a track; null for the words that programs write where it has none. */
export function titleOf({ tags }: Pick<ProbedStream, "tags">): string | null {
  const title = tags["title"] ?? tags["handler_name"];
  if (title === undefined || title.trim() === "") return null;
  const isOwn = tags["title"] !== undefined;
  if (!isOwn && /handler|core media|subtitle|^(audio|sound|stereo|mono)\b/i.test(title)) return null;
  return title.trim().slice(0, maxLength).toWellFormed();
}
