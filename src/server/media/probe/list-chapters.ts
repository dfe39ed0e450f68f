import { cleanTitle, tidyChapters } from "#server/lib/chapters.ts";
import type { ProbedInfo } from "./ffprobe-output.ts";
import type { MediaFacts } from "../facts/media-facts.ts";

/** Returns a file's chapters, in seconds from its start. */
export function listChapters(
  info: ProbedInfo,
  { startS, durationS }: Pick<MediaFacts, "startS" | "durationS">,
): MediaFacts["chapters"] {
  const chapters = info.chapters.map(({ start_time: at, tags }, i) => {
    const title = cleanTitle(tags["title"] ?? "");
    return {
      startS: Math.max(0, Math.round(((at ?? 0) - startS) * 1000) / 1000),
      title: title === "" ? `Chapter ${i + 1}` : title,
    };
  });
  return tidyChapters(chapters, durationS);
}
