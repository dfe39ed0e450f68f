import { sql } from "kysely";
import type { Role, User } from "../../../contract/auth.ts";
import type { DbOrTrx } from "../../db/connection.ts";

const userColumns = ["users.id", "users.email", "users.name", "users.role"] as const;

export async function findUserByEmail(
  db: DbOrTrx,
  email: string,
): Promise<(User & { passwordHash: string }) | null> {
  const row = await db
    .selectFrom("users")
    .select([...userColumns, "password_hash as passwordHash"])
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

export async function findUserBySession(
  db: DbOrTrx,
  tokenHash: Buffer,
): Promise<(User & { expiresAt: Date }) | null> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([...userColumns, "sessions.expires_at as expiresAt"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertSession(
  db: DbOrTrx,
  session: { tokenHash: Buffer; userId: string; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
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

export async function deleteSession(db: DbOrTrx, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom("sessions").where("token_hash", "=", tokenHash).execute();
}

export async function deleteSessionsOf(db: DbOrTrx, userId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

export async function deleteExpiredSessions(db: DbOrTrx): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where("expires_at", "<=", sql<Date>`now()`)
    .execute();
}

export async function insertUser(
  db: DbOrTrx,
  user: { id: string; email: string; name: string; role: Role; passwordHash: string },
): Promise<User | null> {
  const row = await db
    .insertInto("users")
    .values({
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      password_hash: user.passwordHash,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning(["id", "email", "name", "role"])
    .executeTakeFirst();
  return row ?? null;
}

export async function updatePassword(
  db: DbOrTrx,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable("users")
    .set({ password_hash: passwordHash, updated_at: new Date() })
    .where("id", "=", userId)
    .execute();
}

export async function hasAdmin(db: DbOrTrx): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "ADMIN")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listUsers(db: DbOrTrx): Promise<(User & { createdAt: Date })[]> {
  return db
    .selectFrom("users")
    .select([...userColumns, "created_at as createdAt"])
    .orderBy("created_at")
    .execute();
}

export async function replaceSetupToken(
  db: DbOrTrx,
  tokenHash: Buffer,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto("setup_token")
    .values({ id: 1, token_hash: tokenHash, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ token_hash: tokenHash, expires_at: expiresAt }),
    )
    .execute();
}

/** Whether this is the one-time token and still valid. */
export async function isSetupToken(db: DbOrTrx, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom("setup_token")
    .select("id")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the one-time token. @returns whether it was the right one and still valid. */
export async function takeSetupToken(db: DbOrTrx, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom("setup_token")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
