import { cleanTitle, tidyChapters } from "#server/lib/chapters.ts";
import { playTimes, type Timeline } from "../facts/timeline.ts";
import type { ProbedInfo } from "./ffprobe-output.ts";
import type { MediaFacts } from "../facts/media-facts.ts";

/**
 * Returns a file's chapters, in seconds from its start.
 * @param timeline what plays of the track with the chapters; null if their times count from
 * `startS`. A chapter of which nothing plays is left out.
 */
export function listChapters(
  info: ProbedInfo,
  { startS, durationS }: Pick<MediaFacts, "startS" | "durationS">,
  timeline: Timeline | null,
): MediaFacts["chapters"] {
  const chapters = info.chapters.flatMap(({ start_time: at, end_time: end, tags }, i) => {
    const title = cleanTitle(tags["title"] ?? "");
    const chapter = { startS: at ?? 0, endS: end ?? Infinity };
    const times =
      timeline === null ? [{ startS: (at ?? 0) - startS }] : playTimes(timeline, chapter);
    return times.map((time) => ({
      startS: Math.max(0, Math.round(time.startS * 1000) / 1000),
      title: title === "" ? `Chapter ${i + 1}` : title,
    }));
  });
  const sorted = timeline === null ? chapters : chapters.toSorted((a, b) => a.startS - b.startS);
  return tidyChapters(sorted, durationS);
}
