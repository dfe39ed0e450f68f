import { sql } from "kysely";
import type { Role } from "#contract/accounts/auth.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { type Account, accountColumns } from "../account.ts";

const columns = [
  ...accountColumns,
  "users.created_at as createdAt",
  "users.last_seen_at as lastSeenAt",
  "users.disabled_at as disabledAt",
] as const;

export interface PersonRow extends Account {
  createdAt: Date;
  lastSeenAt: Date | null;
  disabledAt: Date | null;
}

/** Returns all users with their number of sessions, owners and admins first. */
export async function listPeople(
  db: DbOrTrx,
  now: Date,
): Promise<(PersonRow & { sessions: number })[]> {
  const rows = await db
    .selectFrom("users")
    .leftJoin("sessions", (join) =>
      join.onRef("user_id", "=", "users.id").on("expires_at", ">", now),
    )
    .select([...columns, sql<number>`count(sessions.id)::int`.as("sessions")])
    .groupBy("users.id")
    .orderBy("users.is_owner", "desc")
    .orderBy("users.created_at")
    .execute();
  return rows;
}

/** Locks the row, so that concurrent changes to one user happen one after another. */
export async function lockPerson(trx: Trx, id: string): Promise<PersonRow | null> {
  const row = await trx
    .selectFrom("users")
    .select(columns)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updatePerson(
  trx: Trx,
  id: string,
  change: { role: Role; isOwner: boolean; disabledAt: Date | null },
): Promise<void> {
  await trx
    .updateTable("users")
    .set({
      role: change.role,
      is_owner: change.isOwner,
      disabled_at: change.disabledAt,
      updated_at: new Date(),
    })
    .where("id", "=", id)
    .execute();
}
