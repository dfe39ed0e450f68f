import type { z } from "zod";
import type { Actor } from "#server/features/audit/audit.service.ts";
import { problemText } from "#contract/field-words.ts";
import { AppError } from "#server/lib/app-error.ts";
import { NotStorableError, parseStorableJson } from "#server/lib/storable-json.ts";
import { csvList } from "#server/lib/write-csv.ts";
import { readCsvList } from "../read-csv.ts";

/** Cells of a row by field name. Undefined for columns that aren't in the file. */
export type Fields = Partial<Record<string, string>>;

interface ApplyContext {
  actor: Actor;
  signal: AbortSignal;
}

/** Effect of a row. */
interface Plan {
  outcome: "created" | "updated" | "unchanged";
  /** Key of the entry. Two rows in a file with the same key conflict. */
  key: string | null;
  apply(context: ApplyContext): Promise<void>;
}

/**
 * Determines the effect of a row without changing anything. A row that creates an entry gives it
 * `targetId`, so that a second run after a crash finds the entry.
 * @throws AppError that describes the row's problem.
 */
export type PlanRow = (fields: Fields, targetId: string) => Promise<Plan>;

/** One kind of content as rows of CSV. */
export interface CsvFormat {
  /** Header of an export. */
  columns: readonly string[];
  /** Returns all entries. */
  rows(): AsyncIterable<string[]>;
  /** Called once before the rows of a file. */
  begin(): Promise<PlanRow>;
}

/**
 * How a cell's text becomes a value. An empty cell clears a `text`, `optional`, `list` or `limit`
 * and sets a `json` to an empty object. It leaves a `word`, `boolean` or `number` unchanged. A `number`
 * or `limit` is a whole number.
 */
type CellType = "text" | "word" | "optional" | "list" | "boolean" | "number" | "limit" | "json";

/** Spreadsheets write booleans in the user's language. */
const trueWords = ["true", "yes", "1", "wahr", "verdadero", "vrai", "verdadeiro", "prawda"];
const falseWords = ["false", "no", "0", "falsch", "falso", "faux", "fałsz"];
const booleans = new Map([
  ...trueWords.map((text): [string, boolean] => [text, true]),
  ...falseWords.map((text): [string, boolean] => [text, false]),
]);

function readCell(name: string, type: CellType, cell: string): unknown {
  const text = cell.trim();
  switch (type) {
    case "text":
      return cell;
    case "word":
      return text === "" ? undefined : text.toLowerCase();
    case "optional":
      return text === "" ? null : cell;
    case "list":
      return readList(name, cell);
    case "boolean": {
      if (text === "") return undefined;
      const value = booleans.get(text.toLowerCase());
      if (value === undefined)
        throw new AppError("invalid", problemText([name], "must be true or false"));
      return value;
    }
    case "number":
    case "limit": {
      if (text === "") return type === "limit" ? null : undefined;
      // Separators differ between languages: "1.000" is one or a thousand.
      if (!/^\d+$/.test(text))
        throw new AppError("invalid", problemText([name], "must be a whole number such as 1000"));
      return Number(text);
    }
    case "json":
      return readJson(name, text);
    default:
      return type satisfies never;
  }
}

function readJson(name: string, text: string): unknown {
  try {
    return text === "" ? {} : parseStorableJson(text);
  } catch (error) {
    const isKnown = error instanceof NotStorableError;
    throw new AppError("invalid", problemText([name], isKnown ? error.message : "must be JSON"));
  }
}

function readList(name: string, cell: string): string[] {
  try {
    return readCsvList(cell);
  } catch {
    throw new AppError("invalid", problemText([name], "a quotation mark isn't closed"));
  }
}

/** Reads the fields that are in the file and validates them with a schema of the contract. */
export function readValues<T>(
  schema: z.ZodType<T>,
  types: Record<string, CellType>,
  fields: Fields,
): T {
  const values: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(types)) {
    const cell = fields[name];
    const value = cell === undefined ? undefined : readCell(name, type, cell);
    if (value !== undefined) values[name] = value;
  }
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const name = issue?.path[0];
  const text = issue?.message ?? "is not valid";
  throw new AppError("invalid", problemText(name === undefined ? [] : [String(name)], text));
}

/** Returns a value as cell text. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return csvList(value.map(String));
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the fields of a change that differ from the current values. */
export function changesOf<T extends object>(change: T, current: object): Partial<T> {
  const now = new Map<string, unknown>(Object.entries(current));
  const entries = Object.entries(change).filter(
    ([name, value]) => value !== undefined && cellOf(value) !== cellOf(now.get(name)),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- some of its own entries
  return Object.fromEntries(entries) as Partial<T>;
}
