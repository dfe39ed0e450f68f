import { sql } from "kysely";
import type { DbOrTrx } from "./connection.ts";

/** Adds to the writes of a minute. @returns the sums over all processes. */
export async function addWrites(
  db: DbOrTrx,
  minute: number,
  added: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  // In a fixed order, so that two processes can't deadlock.
  const entries = [...added].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { rows } = await sql<{ key: string; writes: number }>`
    insert into write_counts as w (minute, key, writes)
    select ${minute}::int, key, writes
    from unnest(${entries.map(([key]) => key)}::text[], ${entries.map(([, n]) => n)}::int[])
      as given (key, writes)
    on conflict (minute, key) do update set writes = w.writes + excluded.writes
    returning key, writes`.execute(db);
  return new Map(rows.map(({ key, writes }) => [key, writes]));
}
