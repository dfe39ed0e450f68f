import type { Chapter } from "#contract/videos/videos.ts";

/** Returns the chapter that plays at a position. */
export function chapterAt(chapters: readonly Chapter[], positionS: number): Chapter | null {
  return chapters.findLast(({ startS }) => startS <= positionS) ?? null;
}
