import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

export interface TotpRow {
  /** Null in rows written by earlier versions. */
  sealed: Buffer | null;
  lastStep: number;
  isActive: boolean;
}

/** Locks the row, so that two requests can't use the same code. */
export async function lockTotp(trx: Trx, userId: string): Promise<TotpRow | null> {
  const row = await trx
    .selectFrom("user_totp")
    .select(["sealed", "last_step as lastStep", "is_active as isActive"])
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function replaceTotp(db: DbOrTrx, userId: string, sealed: Buffer): Promise<void> {
  const row = { sealed, secret: null, last_step: 0, is_active: false };
  await db
    .insertInto("user_totp")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}

/** Locks all rows, for `saveSealed`. */
export function lockAllTotp(trx: Trx) {
  return trx
    .selectFrom("user_totp")
    .select(["user_id as userId", "secret", "sealed"])
    .orderBy("user_id")
    .forUpdate()
    .execute();
}

export async function saveSealed(trx: Trx, userId: string, sealed: Buffer): Promise<void> {
  await trx
    .updateTable("user_totp")
    .set({ sealed, secret: null })
    .where("user_id", "=", userId)
    .execute();
}

export async function useTotpStep(trx: Trx, userId: string, step: number): Promise<void> {
  await trx
    .updateTable("user_totp")
    .set({ last_step: step, is_active: true })
    .where("user_id", "=", userId)
    .execute();
}

export async function deleteTotp(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("user_totp").where("user_id", "=", userId).execute();
}

export async function replaceRecoveryCodes(
  trx: Trx,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  if (hashes.length === 0) return;
  await trx
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

/** Uses up a recovery code. @returns whether it existed. */
export async function takeRecoveryCode(
  trx: Trx,
  userId: string,
  codeHash: Buffer,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns which factors a user has in addition to the password. */
export async function readFactors(
  db: DbOrTrx,
  userId: string,
): Promise<{ hasTotp: boolean; passkeys: number; recoveryCodesLeft: number }> {
  const { rows } = await sql<{ hasTotp: boolean; passkeys: number; recoveryCodesLeft: number }>`
    select
      exists (select from user_totp where user_id = ${userId} and is_active) as "hasTotp",
      (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${userId}) as "recoveryCodesLeft"
  `.execute(db);
  return rows[0] ?? { hasTotp: false, passkeys: 0, recoveryCodesLeft: 0 };
}

export async function isSecondFactorRequired(db: DbOrTrx): Promise<boolean> {
  const row = await db
    .selectFrom("settings")
    .select("require_second_factor")
    .where("id", "=", 1)
    .executeTakeFirst();
  return row?.require_second_factor ?? false;
}

export async function setSecondFactorRequired(trx: Trx, isRequired: boolean): Promise<void> {
  await trx
    .updateTable("settings")
    .set({ require_second_factor: isRequired })
    .where("id", "=", 1)
    .execute();
}

/** Deletes the recovery codes of a user who has no factor, because they are useless. */
export async function deleteUnusedRecoveryCodes(trx: Trx, userId: string): Promise<void> {
  const { hasTotp, passkeys } = await readFactors(trx, userId);
  if (!hasTotp && passkeys === 0) await replaceRecoveryCodes(trx, userId, []);
}
