import type { CaptionLine } from "#contract/videos/captions.ts";
import type { TranscriptParagraph } from "#contract/videos/transcript.ts";
import { plainText } from "./caption-text.ts";

/** Pause between two lines that starts a new paragraph. */
const pauseMs = 2000;
/** Length from which a paragraph ends with its sentence, and from which it ends in any case. */
const usualLength = 400;
const maxLength = 1000;

/**
 * Matches the start of a line by another speaker: a dash, `>>`, a name in brackets, or a name with a
 * colon.
 */
const speaker =
  /^(?:[-–—]\s*[^\s\d]|>>|[[(]\p{L}[^\])]{0,40}[\])]\s*:?|\p{Lu}[\p{L}\p{M}\p{N} .'’-]{0,30}:\s|[\p{L}\p{M}]{1,12}：)/u;
const sentenceEnd = /[.!?…。！？؟][\s"'”’»)\]]*$/u;
/** Second row of a line with two speakers. */
const secondSpeaker = /\n(?=\s*(?:[-–—]|>>))/;

/** Returns the spoken texts of a line: one, or one per speaker. */
const textsOf = ({ text }: CaptionLine): string[] =>
  plainText(text)
    .split(secondSpeaker)
    .map((each) => each.replaceAll(/\s+/g, " ").trim())
    .filter((each) => each !== "");

/** Joins the lines of a caption track, sorted by time, to paragraphs by pauses and speakers. */
export function toParagraphs(lines: readonly CaptionLine[]): TranscriptParagraph[] {
  const paragraphs: TranscriptParagraph[] = [];
  let current: TranscriptParagraph["lines"] = [];
  let length = 0;
  let endMs = -Infinity;
  for (const line of lines) {
    for (const text of textsOf(line)) {
      const last = current.at(-1)?.text ?? "";
      const isPause = line.startMs - endMs >= pauseMs;
      // Live captions repeat a row while the next one appears below it.
      if (text === last && !isPause) continue;
      const isFull =
        length + text.length > maxLength || (length > usualLength && sentenceEnd.test(last));
      if (current.length === 0 || isPause || isFull || speaker.test(text)) {
        current = [];
        length = 0;
        paragraphs.push({ lines: current });
      }
      current.push({ startS: Math.round(line.startMs / 100) / 10, text });
      length += text.length;
      // Pauses are measured between lines, not within one.
      endMs = Math.max(endMs, line.endMs);
    }
    endMs = Math.max(endMs, line.endMs);
  }
  return paragraphs;
}
