import { sql } from "kysely";
import type { Role } from "#contract/accounts/auth.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { accountColumns, type Account } from "./account.ts";

/** Returns the addresses of owners who can sign in. */
export async function listOwnerEmails(db: DbOrTrx): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("email")
    .where("is_owner", "=", true)
    .where("disabled_at", "is", null)
    .orderBy("email")
    .execute();
  return rows.map(({ email }) => email);
}

export async function findUserByEmail(
  db: DbOrTrx,
  email: string,
): Promise<(Account & { passwordHash: string }) | null> {
  const row = await db
    .selectFrom("users")
    .select([...accountColumns, "password_hash as passwordHash"])
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

export async function findUserById(
  db: DbOrTrx,
  id: string,
): Promise<(Account & { passwordHash: string }) | null> {
  const row = await db
    .selectFrom("users")
    .select([...accountColumns, "password_hash as passwordHash"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns null for a removed or disabled user. */
export async function findEnabledUser(db: DbOrTrx, id: string): Promise<Account | null> {
  const row = await db
    .selectFrom("users")
    .select(accountColumns)
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false if the address is taken. */
export async function updateEmail(trx: Trx, userId: string, email: string): Promise<boolean> {
  const taken = await findUserByEmail(trx, email);
  if (taken !== null && taken.id !== userId) return false;
  await trx
    .updateTable("users")
    .set({ email, updated_at: new Date() })
    .where("id", "=", userId)
    .execute();
  return true;
}

export async function updateRole(
  trx: Trx,
  userId: string,
  { role, isOwner }: { role: Role; isOwner: boolean },
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ role, is_owner: isOwner, updated_at: new Date() })
    .where("id", "=", userId)
    .execute();
}

export async function unassignReports(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable("reports")
    .set({ assigned_to: null })
    .where("assigned_to", "=", userId)
    .where("state", "<>", "resolved")
    .execute();
}

export async function updateName(trx: Trx, userId: string, name: string): Promise<void> {
  await trx
    .updateTable("users")
    .set({ name, updated_at: new Date() })
    .where("id", "=", userId)
    .execute();
}

export async function insertUser(
  db: DbOrTrx,
  user: {
    id: string;
    email: string;
    name: string;
    role: Role;
    isOwner: boolean;
    passwordHash: string;
  },
): Promise<Account | null> {
  const row = await db
    .insertInto("users")
    .values({
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      is_owner: user.isOwner,
      password_hash: user.passwordHash,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning(accountColumns)
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

/**
 * Returns the stored hash and locks it against changes until the transaction ends. Returns null for
 * a disabled user.
 */
export async function lockPasswordHash(trx: Trx, userId: string): Promise<string | null> {
  const row = await trx
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .forShare()
    .executeTakeFirst();
  return row?.password_hash ?? null;
}

/** Returns the stored hash and locks it for an update. Returns null for a disabled user. */
export async function lockPasswordForUpdate(trx: Trx, userId: string): Promise<string | null> {
  const row = await trx
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row?.password_hash ?? null;
}

export async function deleteUser(db: DbOrTrx, userId: string): Promise<void> {
  await db.deleteFrom("users").where("id", "=", userId).execute();
}

/** Returns the ids of owners who can sign in, and locks them until the transaction ends. */
export async function lockOwners(trx: Trx): Promise<string[]> {
  const rows = await trx
    .selectFrom("users")
    .select("id")
    .where("is_owner", "=", true)
    .where("disabled_at", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export async function hasOwner(db: DbOrTrx): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("is_owner", "=", true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listUsers(db: DbOrTrx): Promise<(Account & { createdAt: Date })[]> {
  return db
    .selectFrom("users")
    .select([...accountColumns, "created_at as createdAt"])
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

/** Returns whether this is the one-time token and it hasn't expired. */
export async function isSetupToken(db: DbOrTrx, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom("setup_token")
    .select("id")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the one-time token. @returns whether it matched and hadn't expired. */
export async function takeSetupToken(db: DbOrTrx, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom("setup_token")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the origin at which the operator opened the set-up link, or null. */
export async function findConfirmedUrl(db: DbOrTrx): Promise<string | null> {
  const row = await db
    .selectFrom("settings")
    .select("confirmed_url")
    .where("id", "=", 1)
    .executeTakeFirst();
  return row?.confirmed_url ?? null;
}

export async function storeConfirmedUrl(trx: Trx, origin: string): Promise<void> {
  await trx.updateTable("settings").set({ confirmed_url: origin }).where("id", "=", 1).execute();
}

/** Returns the names of users who can enter the back office. */
export async function listStaffNames(db: DbOrTrx): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("name")
    .where("role", "<>", "USER")
    .where("disabled_at", "is", null)
    .execute();
  return rows.map(({ name }) => name);
}
