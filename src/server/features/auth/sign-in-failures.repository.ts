import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/**
 * Time before every attempt. The attempt's own time can't be used, because the second of two
 * concurrent attempts to reach the counter may have the earlier time.
 */
const notBlocked = sql`timestamptz 'epoch'`;

/**
 * Counts an attempt unless the key is blocked, and locks the counter until the transaction ends.
 * Restarts a counter last used before `resetBefore`.
 * @returns the number of attempts including this one, or null while the key is blocked.
 */
export async function countAttempt(
  trx: Trx,
  counter: { key: Buffer; accountKey: Buffer | null },
  times: { now: Date; resetBefore: Date },
): Promise<number | null> {
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures as known (key, account_key, failures, blocked_until, updated_at)
    values (${counter.key}, ${counter.accountKey}, 1, ${notBlocked}, ${times.now})
    on conflict (key) do update set
      failures = case when known.updated_at < ${times.resetBefore} then 1
        else known.failures + 1 end,
      updated_at = ${times.now}
    where known.blocked_until <= ${times.now}
    returning failures`.execute(trx);
  return rows[0]?.failures ?? null;
}

export async function blockKey(trx: Trx, key: Buffer, until: Date): Promise<void> {
  await trx
    .updateTable("sign_in_failures")
    .set({ blocked_until: until })
    .where("key", "=", key)
    .execute();
}

export async function findBlockedUntil(db: DbOrTrx, key: Buffer): Promise<Date | null> {
  const row = await db
    .selectFrom("sign_in_failures")
    .select("blocked_until")
    .where("key", "=", key)
    .executeTakeFirst();
  return row?.blocked_until ?? null;
}

/** Takes back one counted attempt per key. Ends the block if only `freeAttempts` remain. */
export async function uncountAttempt(
  db: DbOrTrx,
  counters: { key: Buffer; freeAttempts: number }[],
): Promise<void> {
  for (const { key, freeAttempts } of counters) {
    await sql`
      update sign_in_failures set failures = greatest(0, failures - 1),
        blocked_until = case when failures <= ${freeAttempts} then ${notBlocked}
          else blocked_until end
      where key = ${key}`.execute(db);
  }
}

export async function deleteFailures(db: DbOrTrx, key: Buffer): Promise<void> {
  await db.deleteFrom("sign_in_failures").where("key", "=", key).execute();
}

export async function deleteUserFailures(db: DbOrTrx, accountKey: Buffer): Promise<void> {
  await db.deleteFrom("sign_in_failures").where("account_key", "=", accountKey).execute();
}

export async function deleteFailuresBefore(db: DbOrTrx, before: Date): Promise<void> {
  await db.deleteFrom("sign_in_failures").where("updated_at", "<", before).execute();
}
