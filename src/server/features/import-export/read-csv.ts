import { importLimits } from "#contract/videos/imports.ts";
import { AppError } from "#server/lib/app-error.ts";

/** Record of a CSV file, and the line it starts on, from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

const delimiters = [",", ";", "\t"] as const;

/**
 * Reads CSV (RFC 4180) from text that arrives in parts. Accepts any line ending, quoted cells and a
 * byte order mark. The delimiter is the comma, semicolon or tab that is most frequent in the first
 * line. Skips empty lines.
 * @throws AppError invalid for text that isn't CSV or exceeds the limits.
 */
export async function* readCsv(
  parts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<CsvRecord> {
  const reader = createReader();
  let isFirst = true;
  let head = "";
  for await (const part of parts) {
    if (reader.delimiter !== null) {
      yield* reader.read(part);
      continue;
    }
    head += part;
    // Detects the delimiter from the whole first line.
    if (!/[\r\n]/.test(head) && head.length <= importLimits.maxCellLength) continue;
    yield* begin();
  }
  if (reader.delimiter === null) yield* begin();
  yield* reader.end();

  function* begin() {
    const text = isFirst ? head.replace(/^\uFEFF/, "") : head;
    isFirst = false;
    reader.delimiter = detectDelimiter(text);
    yield* reader.read(text);
  }
}

/** Returns the items of a cell that is itself CSV, trimmed. Line breaks separate items, too. */
export function readCsvList(text: string): string[] {
  // The length of the cell limits the list, which may be all videos of a series.
  const reader = createReader(Infinity);
  reader.delimiter = ",";
  // A cell may consist of a million line breaks, so only the first one of a gap starts a match.
  const spaced = text
    .replaceAll(/,\s+"/g, ',"')
    .replaceAll(/(?<!\s)\s+"/g, (gap) => gap.replace(/([\r\n])\s+"/, '$1"'))
    .trim();
  const items = [...reader.read(spaced), ...reader.end()].flatMap(({ cells }) => cells);
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

function detectDelimiter(text: string): string {
  const [line = ""] = text.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const countOf = (delimiter: string) => line.split(delimiter).length;
  return delimiters.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ",";
}

/** @param maxCells of one record. */
function createReader(maxCells: number = importLimits.maxColumns) {
  let state: "start" | "plain" | "quoted" | "closed" = "start";
  let cell = "";
  let cells: string[] = [];
  let line = 1;
  let beganAt = 1;
  let isAfterReturn = false;
  const broken = (what: string) => new AppError("invalid", `Line ${line}: ${what}`);

  function endCell(): void {
    if (cells.length >= maxCells) {
      throw broken(`more than ${maxCells} columns.`);
    }
    cells.push(cell);
    cell = "";
    state = "start";
  }
  function add(character: string): void {
    if (cell.length >= importLimits.maxCellLength) {
      throw broken("a cell is too long, or a quotation mark is not closed.");
    }
    cell += character;
  }
  function* endRecord(): Generator<CsvRecord> {
    const isEmpty = cells.length === 0 && cell === "" && state === "start";
    if (!isEmpty) {
      endCell();
      yield { line: beganAt, cells };
    }
    cells = [];
    state = "start";
  }

  return {
    delimiter: null as string | null,

    *read(part: string): Generator<CsvRecord> {
      for (const character of part) {
        if (character === "\0") throw broken("contains a NUL character, so this isn't CSV text.");
        const isLineFeedOfPair = isAfterReturn && character === "\n";
        isAfterReturn = character === "\r";
        const isLineEnd = character === "\n" || character === "\r";
        if (isLineEnd && !isLineFeedOfPair) line += 1;
        if (state === "quoted") {
          if (character === '"') state = "closed";
          else add(character);
        } else if (isLineEnd) {
          if (!isLineFeedOfPair) yield* endRecord();
          beganAt = line;
        } else if (character === this.delimiter) endCell();
        else if (state === "start" && character === '"') state = "quoted";
        else if (state === "closed" && character === '"') {
          add(character);
          state = "quoted";
        } else {
          // Text after a closing quotation mark belongs to the cell, as in spreadsheets.
          if (state === "start") state = "plain";
          add(character);
        }
      }
    },

    *end(): Generator<CsvRecord> {
      if (state === "quoted") throw broken("a quotation mark is not closed.");
      yield* endRecord();
    },
  };
}
