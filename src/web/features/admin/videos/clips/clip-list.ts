import { clipLengthProblem } from "#contract/videos/clip-limits.ts";
import { readSeconds } from "../../shared/time-text.ts";

/** Row of the table of clips to make. */
export interface ClipRow {
  startS: number;
  endS: number;
  title: string;
}

/** Returns why a row can't become a clip, or null. */
export function rowProblem(row: ClipRow, durationS: number): string | null {
  const problem = clipLengthProblem(row);
  if (problem !== null) return problem;
  if (row.endS > durationS + 0.05) return "The clip ends after the video";
  return row.title.trim() === "" ? "Enter a title" : null;
}

/** Row of a list. Quotes around the cells are optional. */
const csvRow = /^\s*"?([\d:.]+)"?\s*[,;\t]\s*"?([\d:.]+)"?\s*(?:[,;\t]\s*(.*?))?\s*$/;

/** Row without commas between the cells, so that times can have decimal commas. */
const decimalRow =
  /^\s*"?([\d:.]+(?:,\d+)?)"?\s*[;\t]\s*"?([\d:.]+(?:,\d+)?)"?\s*(?:[;\t]\s*(.*?))?\s*$/;

/**
 * Reads rows of "start, end, title". Rows without a title get a numbered one. A heading and empty
 * rows are skipped.
 * @returns the numbers of rows that can't be read, from 1.
 */
export function readClipRows(
  text: string,
  titleOf: (number: number) => string,
): { rows: ClipRow[]; wrongRows: number[] } {
  const rows: ClipRow[] = [];
  const wrongRows: number[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || (at === 0 && /^\W*start\b/i.test(line))) continue;
    const row = line.replace(/^\uFEFF/, "");
    const [, start = "", end = "", title = ""] = decimalRow.exec(row) ?? csvRow.exec(row) ?? [];
    const [startS, endS] = [readSeconds(start), readSeconds(end)];
    if (startS === null || endS === null) {
      wrongRows.push(at + 1);
      continue;
    }
    const plain = title
      .replace(/^"(.*)"$/, "$1")
      .replaceAll('""', '"')
      .trim();
    rows.push({ startS, endS, title: plain === "" ? titleOf(rows.length + 1) : plain });
  }
  return { rows, wrongRows };
}
