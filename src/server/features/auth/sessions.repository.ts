import type { User } from "../../../contract/auth.ts";
import type { DbOrTrx } from "../../db/connection.ts";

export async function findUserBySession(
  db: DbOrTrx,
  tokenHash: Buffer,
  now: Date,
): Promise<(User & { createdAt: Date; expiresAt: Date }) | null> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      "users.id",
      "users.email",
      "users.name",
      "users.role",
      "sessions.created_at as createdAt",
      "sessions.expires_at as expiresAt",
    ])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertSession(
  db: DbOrTrx,
  session: { tokenHash: Buffer; userId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute();
}

export async function extendSession(
  db: DbOrTrx,
  tokenHash: Buffer,
  expiresAt: Date,
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ expires_at: expiresAt })
    .where("token_hash", "=", tokenHash)
    .execute();
}

// A trigger tells every process of each deleted session, so that open streams end at once.

export async function deleteSession(db: DbOrTrx, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom("sessions").where("token_hash", "=", tokenHash).execute();
}

export async function deleteSessionsOf(db: DbOrTrx, userId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

export async function deleteExpiredSessions(db: DbOrTrx, now: Date): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
}
