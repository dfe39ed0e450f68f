import type { Role } from "#contract/accounts/auth.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { sql } from "kysely";

export interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  isOwner: boolean;
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
}

const selectInvitations = (db: DbOrTrx) =>
  db
    .selectFrom("invitations")
    .leftJoin("users", "users.id", "invitations.invited_by")
    .select([
      "invitations.id",
      "invitations.email",
      "invitations.role",
      "invitations.is_owner as isOwner",
      "users.email as invitedBy",
      "invitations.created_at as createdAt",
      "invitations.expires_at as expiresAt",
    ]);

/** Returns the invitation for an address and locks it until the transaction ends. */
export async function lockInvitationFor(
  trx: Trx,
  email: string,
): Promise<Pick<InvitationRow, "role" | "isOwner"> | null> {
  const row = await trx
    .selectFrom("invitations")
    .select(["role", "is_owner as isOwner"])
    .where(sql`lower(email)`, "=", email.toLowerCase())
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Replaces an earlier invitation for the address. */
export async function replaceInvitation(
  trx: Trx,
  row: Omit<InvitationRow, "invitedBy"> & { invitedBy: string | null; tokenHash: Buffer },
): Promise<void> {
  await trx
    .deleteFrom("invitations")
    .where(sql`lower(email)`, "=", row.email.toLowerCase())
    .execute();
  await trx
    .insertInto("invitations")
    .values({
      id: row.id,
      email: row.email,
      role: row.role,
      is_owner: row.isOwner,
      token_hash: row.tokenHash,
      invited_by: row.invitedBy,
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    })
    .execute();
}

/** Returns invitations, newest first. Includes expired ones, because they can be sent again. */
export async function listInvitations(db: DbOrTrx): Promise<InvitationRow[]> {
  return selectInvitations(db).orderBy("invitations.created_at", "desc").execute();
}

export async function findInvitation(
  db: DbOrTrx,
  tokenHash: Buffer,
  now: Date,
): Promise<InvitationRow | null> {
  const row = await selectInvitations(db)
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes the invitation. @returns the deleted row, or null. */
export async function deleteInvitation(db: DbOrTrx, id: string): Promise<InvitationRow | null> {
  const row = await selectInvitations(db).where("invitations.id", "=", id).executeTakeFirst();
  const { numDeletedRows } = await db
    .deleteFrom("invitations")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n ? (row ?? null) : null;
}

/** Deletes and returns the invitation of a link, so that the link works once. */
export async function takeInvitation(
  trx: Trx,
  tokenHash: Buffer,
  now: Date,
): Promise<InvitationRow | null> {
  const found = await findInvitation(trx, tokenHash, now);
  return found === null ? null : deleteInvitation(trx, found.id);
}

/** Deletes invitations that a user has sent, or only those to become an owner. */
export async function deleteInvitationsBy(
  trx: Trx,
  userId: string,
  which: "all" | "owners",
): Promise<void> {
  await trx
    .deleteFrom("invitations")
    .where("invited_by", "=", userId)
    .$if(which === "owners", (query) => query.where("is_owner", "=", true))
    .execute();
}
