import { captionLimits, type CaptionLine } from "#contract/videos/captions.ts";
import { AppError } from "../app-error.ts";
import { plainText } from "./caption-text.ts";

export const hasWords = ({ text }: CaptionLine): boolean => plainText(text).trim() !== "";

/**
 * Splits a file into rows. Line ends may be LF, CR, CR LF or CR CR LF, which programs write that
 * convert line ends twice.
 */
export const rowsOf = (text: string): string[] => text.split(/\r{0,3}\n|\r/);

/**
 * Collects the lines of a file while it is read.
 * @throws AppError invalid once there are too many.
 */
export function collectLines() {
  const lines: CaptionLine[] = [];
  const missed = new Set<number>();
  return {
    /** @param row number of the row with the times, from 1. */
    add(line: CaptionLine, row: number): void {
      if (!hasWords(line)) return;
      if (line.endMs <= line.startMs) return void missed.add(row);
      if (lines.push(line) <= captionLimits.maxLines) return;
      throw new AppError("invalid", `Captions can have at most ${captionLimits.maxLines} lines.`);
    },
    /** Notes a row that contains a line but can't be read. */
    miss: (row: number): void => void missed.add(row),
    lines: lines as readonly CaptionLine[],
    missedRows: () => [...missed].toSorted((a, b) => a - b),
  };
}
export type LineCollector = ReturnType<typeof collectLines>;
