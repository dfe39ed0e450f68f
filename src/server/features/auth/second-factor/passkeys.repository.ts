import type { DbOrTrx, Trx } from "#server/db/connection.ts";

export interface PasskeyRow {
  id: string;
  userId: string;
  name: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

const columns = [
  "id",
  "user_id as userId",
  "name",
  "public_key as publicKey",
  "counter",
  "transports",
  "created_at as createdAt",
  "last_used_at as lastUsedAt",
] as const;

export async function listPasskeys(db: DbOrTrx, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom("passkeys")
    .select(columns)
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}

export async function findPasskey(db: DbOrTrx, id: string): Promise<PasskeyRow | null> {
  const row = await db
    .selectFrom("passkeys")
    .select(columns)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns whether the passkey was new. */
export async function insertPasskey(
  trx: Trx,
  row: Omit<PasskeyRow, "createdAt" | "lastUsedAt">,
): Promise<boolean> {
  const inserted = await trx
    .insertInto("passkeys")
    .values({
      id: row.id,
      user_id: row.userId,
      name: row.name,
      public_key: row.publicKey,
      counter: row.counter,
      transports: row.transports,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** @returns false if the passkey has been removed. */
export async function usePasskey(
  trx: Trx,
  id: string,
  used: { counter: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("passkeys")
    .set({ counter: used.counter, last_used_at: used.at })
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deletePasskey(trx: Trx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("passkeys")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteUserPasskeys(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("passkeys").where("user_id", "=", userId).execute();
}

/** Records a challenge as used. @returns false if it was used before. */
export async function useChallenge(trx: Trx, hash: Buffer, expiresAt: Date): Promise<boolean> {
  const row = await trx
    .insertInto("used_challenges")
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning("expires_at")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteExpiredChallenges(db: DbOrTrx, now: Date): Promise<void> {
  await db.deleteFrom("used_challenges").where("expires_at", "<", now).execute();
}
