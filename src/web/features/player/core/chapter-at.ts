import type { Chapter } from "#contract/videos/videos.ts";

/** The chapter that plays at a position. */
export function chapterAt(chapters: readonly Chapter[], positionS: number): Chapter | null {
  return chapters.findLast(({ startS }) => startS <= positionS) ?? null;
}
