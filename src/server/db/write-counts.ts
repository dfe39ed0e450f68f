import { sql } from "kysely";
import { AppError } from "#server/lib/app-error.ts";
import type { DbOrTrx } from "./connection.ts";

/**
 * Counts a call in the database, so that the limit applies across processes.
 * @throws AppError rate_limited after `max` calls with this key in a minute.
 */
export async function countCall(
  db: DbOrTrx,
  key: string,
  { max, nowMs }: { max: number; nowMs: number },
): Promise<void> {
  const { rows } = await sql<{ writes: number }>`
    insert into write_counts as w (minute, key, writes)
    values (${Math.floor(nowMs / 60_000)}::int, ${key}, 1)
    on conflict (minute, key) do update set writes = w.writes + 1
    returning writes`.execute(db);
  if ((rows[0]?.writes ?? 0) <= max) return;
  throw new AppError("rate_limited", "Too many attempts. Try again in a minute.", {
    retryAfterS: 60,
  });
}
