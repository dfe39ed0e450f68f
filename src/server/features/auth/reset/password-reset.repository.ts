import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/**
 * Records that a reset mail is being sent now. Reuses a link if it stays valid for long enough.
 * @returns the link's expiry, or null for a disabled user or if a mail was sent after `sentBefore`.
 */
export async function noteReset(
  db: DbOrTrx,
  userId: string,
  times: { now: Date; sentBefore: Date; keepsEndAfter: Date; newEnd: Date },
): Promise<Date | null> {
  const { now, sentBefore, keepsEndAfter, newEnd } = times;
  const row = await db
    .updateTable("users")
    .set({
      reset_sent_at: now,
      reset_expires_at: sql<Date>`case when reset_expires_at > ${keepsEndAfter}
        then reset_expires_at else ${newEnd} end`,
    })
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .where((is) => is.or([is("reset_sent_at", "is", null), is("reset_sent_at", "<=", sentBefore)]))
    .returning("reset_expires_at as end")
    .executeTakeFirst();
  return row?.end ?? null;
}

/** Lets the next attempt run at once if the mail wasn't sent. */
export async function clearResetTime(db: DbOrTrx, userId: string): Promise<void> {
  await db.updateTable("users").set({ reset_sent_at: null }).where("id", "=", userId).execute();
}

/** Returns the expiry of the account's only link, or null if there is none. */
export async function findResetEnd(db: DbOrTrx, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom("users")
    .select("reset_expires_at as end")
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.end ?? null;
}

export async function endResetLink(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable("users").set({ reset_expires_at: null }).where("id", "=", userId).execute();
}
