import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/** Makes transactions that send confirmations wait for each other, so that their limit holds. */
export async function lockSenders(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('report senders', 0))`.execute(trx);
}

/** Deletes addresses that were mailed before `before` and never confirmed. */
export async function removeSilentSenders(trx: Trx, before: Date): Promise<void> {
  await trx
    .deleteFrom("report_senders")
    .where("confirmed_at", "is", null)
    .where("asked_at", "<", before)
    .execute();
}

export async function countAskedSince(trx: Trx, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom("report_senders")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("confirmed_at", "is", null)
    .where("asked_at", ">", since)
    .executeTakeFirstOrThrow();
  return count;
}

/** @returns false if the address was already mailed or confirmed. */
export async function insertSender(
  trx: Trx,
  sender: { email: string; tokenHash: Buffer; askedAt: Date },
): Promise<boolean> {
  const row = await trx
    .insertInto("report_senders")
    .values({
      email: sender.email.toLowerCase(),
      token_hash: sender.tokenHash,
      asked_at: sender.askedAt,
      confirmed_at: null,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("email")
    .executeTakeFirst();
  return row !== undefined;
}

export async function isSenderConfirmed(db: DbOrTrx, email: string): Promise<boolean> {
  const row = await db
    .selectFrom("report_senders")
    .select("confirmed_at")
    .where("email", "=", email.toLowerCase())
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns the address that the token belongs to, or null. */
export async function confirmSender(trx: Trx, tokenHash: Buffer, at: Date): Promise<string | null> {
  const row = await trx
    .updateTable("report_senders")
    .set({ confirmed_at: sql<Date>`coalesce(confirmed_at, ${at})` })
    .where("token_hash", "=", tokenHash)
    .returning("email")
    .executeTakeFirst();
  return row?.email ?? null;
}
