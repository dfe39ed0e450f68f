import type { Actor } from "#server/lib/actor.ts";

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
