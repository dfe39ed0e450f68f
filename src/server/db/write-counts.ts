import { sql } from "kysely";
import { AppError } from "#server/lib/app-error.ts";
import type { DbOrTrx } from "./connection.ts";

/**
 * Counts a call in the database, so that the limit applies across processes.
 * @throws AppError rate_limited after `max` calls with this key in a minute, or in an hour.
 */
export async function countCall(
  db: DbOrTrx,
  key: string,
  { max, nowMs, isHourly = false }: { max: number; nowMs: number; isHourly?: boolean },
): Promise<void> {
  const now = Math.floor(nowMs / 60_000);
  // Hourly counts are stored under the hour's last minute, because rows of past minutes are deleted.
  const minute = isHourly ? now - (now % 60) + 59 : now;
  const { rows } = await sql<{ writes: number }>`
    insert into write_counts as w (minute, key, writes)
    values (${minute}::int, ${key}, 1)
    on conflict (minute, key) do update set writes = w.writes + 1
    returning writes`.execute(db);
  if ((rows[0]?.writes ?? 0) <= max) return;
  const retryAfterS = isHourly ? Math.ceil((minute + 1) * 60 - nowMs / 1000) : 60;
  throw new AppError(
    "rate_limited",
    isHourly
      ? "Too many requests from your network. Try again later."
      : "Too many attempts. Try again in a minute.",
    { retryAfterS },
  );
}
