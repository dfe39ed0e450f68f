import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { type Account, accountColumns } from "../account.ts";
import { mustAddFactor } from "../sessions.repository.ts";

export interface ApiTokenRow {
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

const columns = [
  "api_tokens.id",
  "api_tokens.name",
  "api_tokens.scopes",
  "api_tokens.created_at as createdAt",
  "api_tokens.expires_at as expiresAt",
  "api_tokens.last_used_at as lastUsedAt",
] as const;

export async function insertApiToken(
  trx: Trx,
  row: Omit<ApiTokenRow, "lastUsedAt"> & { userId: string; tokenHash: Buffer },
): Promise<void> {
  await trx
    .insertInto("api_tokens")
    .values({
      id: row.id,
      user_id: row.userId,
      name: row.name,
      token_hash: row.tokenHash,
      scopes: row.scopes,
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    })
    .execute();
}

/** Returns tokens, newest first. Includes expired ones. */
export async function listApiTokens(db: DbOrTrx, userId: string): Promise<ApiTokenRow[]> {
  return db
    .selectFrom("api_tokens")
    .select(columns)
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Returns every user's tokens, earliest expiry first. */
export async function listAllApiTokens(
  db: DbOrTrx,
): Promise<(ApiTokenRow & { userEmail: string })[]> {
  return db
    .selectFrom("api_tokens")
    .innerJoin("users", "users.id", "api_tokens.user_id")
    .select([...columns, "users.email as userEmail"])
    .orderBy("api_tokens.expires_at")
    .orderBy("api_tokens.id")
    .execute();
}

/** @returns the token's name and user, or null if it doesn't exist. */
export async function deleteApiToken(
  trx: Trx,
  id: string,
  userId: string | null,
): Promise<{ name: string; email: string } | null> {
  const row = await trx
    .deleteFrom("api_tokens")
    .using("users")
    .whereRef("users.id", "=", "api_tokens.user_id")
    .where("api_tokens.id", "=", id)
    .$if(userId !== null, (query) => query.where("api_tokens.user_id", "=", userId))
    .returning(["api_tokens.name", "users.email"])
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteUserApiTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("api_tokens").where("user_id", "=", userId).execute();
}

/** Returns the token's user. Returns no user if the user is disabled. */
export async function findUserByToken(
  db: DbOrTrx,
  tokenHash: Buffer,
  now: Date,
): Promise<{
  user: Account & { mustAddFactor: boolean };
  id: string;
  scopes: string[];
  lastUsedAt: Date | null;
} | null> {
  const row = await db
    .selectFrom("api_tokens")
    .innerJoin("users", "users.id", "api_tokens.user_id")
    .select([
      ...accountColumns,
      "api_tokens.id as tokenId",
      "scopes",
      "last_used_at as lastUsedAt",
      mustAddFactor,
    ])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { tokenId, scopes, lastUsedAt, ...user } = row;
  return { user, id: tokenId, scopes, lastUsedAt };
}

export async function touchApiToken(db: DbOrTrx, id: string, now: Date): Promise<void> {
  await sql`update api_tokens set last_used_at = ${now} where id = ${id}`.execute(db);
}

export async function countApiTokens(trx: Trx, userId: string): Promise<number> {
  const row = await trx
    .selectFrom("api_tokens")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.count ?? 0;
}
