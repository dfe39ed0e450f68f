import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";

export interface Lock {
  uploadId: string;
  holder: string;
}

const expiry = (leaseMs: number) => sql<Date>`now() + ${leaseMs / 1000} * interval '1 second'`;

/** Takes a lock if it is free or expired. Otherwise asks its holder to release it. */
export async function takeLock(
  db: Db,
  { uploadId, holder }: Lock,
  leaseMs: number,
): Promise<boolean> {
  const taken = await db
    .insertInto("upload_locks")
    .values({ upload_id: uploadId, holder, expires_at: expiry(leaseMs) })
    .onConflict((conflict) =>
      conflict
        .column("upload_id")
        .doUpdateSet({ holder, expires_at: expiry(leaseMs), is_wanted: false })
        .where("upload_locks.expires_at", "<", sql<Date>`now()`),
    )
    .returning("upload_id")
    .executeTakeFirst();
  if (taken !== undefined) return true;
  await db
    .updateTable("upload_locks")
    .set({ is_wanted: true })
    .where("upload_id", "=", uploadId)
    .where("is_wanted", "=", false)
    .execute();
  return false;
}

/** Extends a lock. @returns whether it is still held and no other request has asked for it. */
export async function renewLock(
  db: Db,
  { uploadId, holder }: Lock,
  leaseMs: number,
): Promise<boolean> {
  const row = await db
    .updateTable("upload_locks")
    .set({ expires_at: expiry(leaseMs) })
    .where("upload_id", "=", uploadId)
    .where("holder", "=", holder)
    .returning("is_wanted")
    .executeTakeFirst();
  return row?.is_wanted === false;
}

export async function releaseLock(db: Db, { uploadId, holder }: Lock): Promise<void> {
  await db
    .deleteFrom("upload_locks")
    .where("upload_id", "=", uploadId)
    .where("holder", "=", holder)
    .execute();
}

/** Deletes locks of processes that died. */
export async function deleteExpiredLocks(db: Db): Promise<void> {
  await db
    .deleteFrom("upload_locks")
    .where("expires_at", "<", sql<Date>`now()`)
    .execute();
}
