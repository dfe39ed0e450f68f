import type { Actor } from "#server/lib/actor.ts";

/** The cells of a row by the names of their fields. A column that the file has not is undefined. */
export type Fields = Partial<Record<string, string>>;

interface ApplyContext {
  actor: Actor;
  signal: AbortSignal;
}

/** What a row would do. */
interface Plan {
  outcome: "created" | "updated" | "unchanged";
  /** What it is about: two rows of a file with the same key contradict each other. */
  key: string | null;
  apply(context: ApplyContext): Promise<void>;
}

/**
 * Says what a row would do, and changes nothing. A row that creates something gives it `targetId`, so
 * that a second run after a crash finds it. @throws AppError that says what is wrong with the row.
 */
export type PlanRow = (fields: Fields, targetId: string) => Promise<Plan>;

/** One kind of content as rows of CSV. */
export interface Exchange {
  /** The header of an export. */
  columns: readonly string[];
  /** Everything there is. */
  rows(): AsyncIterable<string[]>;
  /** Called once before the rows of a file. */
  begin(): Promise<PlanRow>;
}
