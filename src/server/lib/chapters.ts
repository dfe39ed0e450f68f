import type { Chapter } from "#contract/videos/videos.ts";

const maxChapters = 200;
const maxTitle = 120;
/**
 * Matches a time code at the start of a line, in brackets or after a dash, followed by the title.
 */
const timeCode = /^[\s\-–—•*([]{0,8}(?:(\d{1,2}):)?(\d{1,2}):(\d{2})[)\]]?[\s\-–—:|.]{1,8}(\S.*)$/;

/**
 * Reads chapters from a description: lines that start with a time code. The first chapter must be
 * at 0:00 and each one later than the previous, so that a time within a text doesn't count. Returns
 * an empty list if there are fewer than two.
 */
export function readChapters(description: string | null, durationS: number): Chapter[] {
  const chapters: Chapter[] = [];
  for (const line of (description ?? "").split(/\r\n?|\n/)) {
    const match = timeCode.exec(line.slice(0, 400));
    if (match === null) continue;
    const [, hours = "0", minutes = "0", seconds = "0", title = ""] = match;
    const startS = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    chapters.push({ startS, title: cleanTitle(title) });
  }
  return tidyChapters(chapters, durationS);
}

/** Returns the chapters if they divide a video of this duration, otherwise an empty list. */
export function tidyChapters(chapters: readonly Chapter[], durationS: number): Chapter[] {
  const inside = chapters
    .filter(({ startS, title }) => startS < durationS && title !== "")
    .slice(0, maxChapters);
  const isAscending = inside.every(
    ({ startS }, i) => i === 0 || startS > (inside[i - 1]?.startS ?? 0),
  );
  // A file's first chapter may start at its first frame.
  return inside.length >= 2 && isAscending && (inside[0]?.startS ?? 1) < 1 ? inside : [];
}

/** Returns the title as one line of characters that can be displayed and stored. */
export function cleanTitle(title: string): string {
  // oxlint-disable-next-line no-control-regex -- matches invisible characters
  const line = title.replaceAll(/[\u0000-\u001f\u007f]+/g, " ").trim();
  return line.slice(0, maxTitle).toWellFormed();
}
