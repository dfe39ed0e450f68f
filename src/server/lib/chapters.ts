import type { Chapter } from "#contract/videos/videos.ts";
import { clockTime, secondsOf } from "./time-codes.ts";

const maxChapters = 200;
const maxTitle = 120;
/** Invisible marks of the text direction. */
const marks = "\u200e\u200f\u2066-\u2069";
/** Frames of a second. They follow hours, minutes and seconds, because 1:30:12 has no frames. */
const frames = String.raw`(?<=[:：]\d{1,4}[:：]\d{2})[:：;]\d{2}`;
const fraction = String.raw`(?:[.,]\d{1,3}|${frames})?`;
const endTime = String.raw`[\s${marks}]{0,4}[\-–—~～〜][\s${marks}]{0,4}[([]?(?:\d{1,2}[:：])?\d{1,4}[:：]\d{2}${fraction}[)\]]?`;
/**
 * Matches a time code at the start of a line, in brackets or after a dash, optionally
 * with its end time, followed by the title.
 */
const timeCode = new RegExp(
  String.raw`^[\s\-–—•*([${marks}]{0,8}(?:(\d{1,2})[:：](?=\d{1,2}[:：]))?(\d{1,4})[:：](\d{2})${fraction}[)\]]?(?:${endTime})?[\s\-–—:：|.${marks}]{1,8}(\S.*)$`,
);

const lineBreak = /\r\n?|\n/;

/**
 * Reads chapters from a description: lines that start with a time code. The first chapter must be
 * at 0:00 and each one later than the previous, so that a time within a text doesn't count. Returns
 * an empty list if there are fewer than two.
 */
export function readChapters(description: string | null, durationS: number): Chapter[] {
  const chapters: Chapter[] = [];
  for (const line of (description ?? "").split(lineBreak)) {
    const match = timeCode.exec(line.slice(0, 400));
    if (match === null) continue;
    const [, hours, minutes, seconds, title = ""] = match;
    chapters.push({ startS: secondsOf(hours, minutes, seconds), title: cleanTitle(title) });
  }
  return chapters[0]?.startS === 0 ? tidyChapters(chapters, durationS) : [];
}

/** Time in a text, such as 1:02:03, 12:34 or 104:30, with its frames. */
const timeInText = new RegExp(
  String.raw`(?<![\d:：.,])(?:(\d{1,2})[:：](?=\d{1,2}[:：]))?(\d{1,4})[:：]([0-5]\d)(?:${frames})?(?!\d|[:：]\d)`,
  "g",
);

/**
 * Changes the times in a text, such as 1:02:03, if they lie in a video of this duration.
 * @param move returns the new time.
 */
export function moveTimes(
  text: string,
  durationS: number,
  move: (timeS: number) => number,
): string {
  return text.replaceAll(
    timeInText,
    (found, hours?: string, minutes?: string, seconds?: string) => {
      const timeS = secondsOf(hours, minutes, seconds);
      return timeS > durationS ? found : clockTime(move(timeS));
    },
  );
}

/** Lists the times in a text, in seconds, that lie in a video of this duration. */
export function listTimes(text: string, durationS: number): number[] {
  const times: number[] = [];
  moveTimes(text, durationS, (timeS) => times.push(timeS));
  return times;
}

/**
 * Changes the times in a description. Lines of chapters that are dropped disappear, because two
 * chapters at the same time would leave the video without any.
 */
export function moveDescriptionTimes(
  description: string,
  durationS: number,
  {
    move,
    isGone,
  }: { move: (timeS: number) => number; isGone: (startS: number, endS: number) => boolean },
): string {
  const chapters = readChapters(description, durationS);
  const [lineEnd = "\n"] = /\r\n?/.exec(description) ?? [];
  let lastS = -1;
  return description
    .split(lineBreak)
    .flatMap((line) => {
      const match = chapters.length === 0 ? null : timeCode.exec(line.slice(0, 400));
      const [, hours, minutes, seconds] = match ?? [];
      const startS = secondsOf(hours, minutes, seconds);
      const chapter = match === null ? undefined : chapters.find((each) => each.startS === startS);
      if (chapter === undefined) return [moveTimes(line, durationS, move)];
      const endS = chapters.find((each) => each.startS > startS)?.startS ?? durationS;
      if (isGone(startS, endS)) return [];
      const newS = Math.max(Math.floor(move(startS) + 0.001), lastS + 1);
      lastS = newS;
      let isStart = true;
      return [
        moveTimes(line, durationS, (timeS) => {
          const newTimeS = isStart ? newS : move(timeS);
          isStart = false;
          return newTimeS;
        }),
      ];
    })
    .join(lineEnd);
}

/**
 * Returns the chapters if they divide a video of this duration, otherwise an empty list. If the
 * first one starts at 1 s or later, adds one named "Start" at 0.
 */
export function tidyChapters(chapters: readonly Chapter[], durationS: number): Chapter[] {
  const titled = chapters.filter(({ startS, title }) => startS < durationS && title !== "");
  const isLate = (titled[0]?.startS ?? 0) >= 1;
  const inside = (isLate ? [{ startS: 0, title: "Start" }, ...titled] : titled).slice(
    0,
    maxChapters,
  );
  const isAscending = inside.every(
    ({ startS }, i) => i === 0 || startS > (inside[i - 1]?.startS ?? 0),
  );
  return inside.length >= 2 && isAscending ? inside : [];
}

/** Returns the title as one line of characters that can be displayed and stored. */
export function cleanTitle(title: string): string {
  // oxlint-disable-next-line no-control-regex -- matches invisible characters
  const line = title.replaceAll(/[\u0000-\u001f\u007f]+/g, " ").trim();
  return line.slice(0, maxTitle).toWellFormed();
}
