import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { type Account, accountColumns } from "./account.ts";

export interface SessionRow {
  id: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
}

export interface FoundSession extends Omit<SessionRow, "userAgent"> {
  confirmedAt: Date;
}

/** True if the site requires a second factor that the account lacks. */
export const mustAddFactor = sql<boolean>`(select require_second_factor from settings where id = 1)
  and not exists (select from user_totp t where t.user_id = users.id and t.is_active)
  and not exists (select from passkeys p where p.user_id = users.id)`.as("mustAddFactor");

export async function findUserBySession(
  db: DbOrTrx,
  tokenHash: Buffer,
  now: Date,
): Promise<{ user: Account & { mustAddFactor: boolean }; session: FoundSession } | null> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      ...accountColumns,
      "sessions.id as sessionId",
      "sessions.created_at as createdAt",
      "sessions.last_seen_at as lastSeenAt",
      "sessions.confirmed_at as confirmedAt",
      mustAddFactor,
    ])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { sessionId, createdAt, lastSeenAt, confirmedAt, ...user } = row;
  return { user, session: { id: sessionId, createdAt, lastSeenAt, confirmedAt } };
}

export async function insertSession(
  db: DbOrTrx,
  session: {
    tokenHash: Buffer;
    userId: string;
    userAgent: string;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      last_seen_at: session.createdAt,
      confirmed_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute();
  await touchUser(db, session.userId, session.createdAt);
}

/**
 * Locks a user and one of their sessions until the transaction ends.
 * @returns false if the session has ended.
 */
export async function lockSession(
  trx: Trx,
  user: { id: string; sessionId: string },
): Promise<boolean> {
  // Everything that ends sessions locks the user first, so that transactions can't deadlock.
  await trx.selectFrom("users").select("id").where("id", "=", user.id).forNoKeyUpdate().execute();
  const row = await trx
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", user.sessionId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that a session is in use. */
export async function touchSession(
  db: DbOrTrx,
  session: { id: string; userId: string; expiresAt: Date; now: Date },
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ last_seen_at: session.now, expires_at: session.expiresAt })
    .where("id", "=", session.id)
    .execute();
  await touchUser(db, session.userId, session.now);
}

async function touchUser(db: DbOrTrx, userId: string, now: Date): Promise<void> {
  await db.updateTable("users").set({ last_seen_at: now }).where("id", "=", userId).execute();
}

/** Records that the password was confirmed in this session. */
export async function confirmSession(db: DbOrTrx, id: string, now: Date): Promise<void> {
  await db.updateTable("sessions").set({ confirmed_at: now }).where("id", "=", id).execute();
}

/** Returns a user's sessions, most recently used first. */
export async function listSessions(db: DbOrTrx, userId: string, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom("sessions")
    .select([
      "id",
      "user_agent as userAgent",
      "created_at as createdAt",
      "last_seen_at as lastSeenAt",
    ])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .execute();
}

// A trigger notifies every process of deleted sessions, so that open streams end at once.

export async function deleteSession(db: DbOrTrx, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom("sessions").where("token_hash", "=", tokenHash).execute();
}

/** Ends one of a user's sessions. @returns whether it existed. */
export async function deleteUserSession(
  db: DbOrTrx,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteUserSessions(db: DbOrTrx, userId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

export async function deleteExpiredSessions(db: DbOrTrx, now: Date): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
}
