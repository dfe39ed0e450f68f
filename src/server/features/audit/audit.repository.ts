import { sql } from "kysely";
import type { AuditQuery } from "#contract/accounts/audit.ts";
import type { DbOrTrx } from "#server/db/connection.ts";

const dayMs = 24 * 3600 * 1000;

export interface AuditRow {
  id: string;
  at: Date;
  /** The same in microseconds since 1970. All entries of a transaction have the same time. */
  atUs: string;
  userEmail: string;
  userName: string | null;
  action: string;
  entity: string;
  entityId: string | null;
  before: unknown;
  after: unknown;
  requestId: string | null;
}

/** Adds entries in one statement. `before` and `after` are stored as JSON. */
export async function insertAuditRows(
  db: DbOrTrx,
  rows: readonly (Omit<AuditRow, "at" | "atUs" | "userName"> & { userId: string | null })[],
): Promise<void> {
  const jsonOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await db
    .insertInto("audit_log")
    .values(
      rows.map((row) => ({
        id: row.id,
        user_id: row.userId,
        user_email: row.userEmail,
        action: row.action,
        entity: row.entity,
        entity_id: row.entityId,
        before: jsonOf(row.before),
        after: jsonOf(row.after),
        request_id: row.requestId,
      })),
    )
    .execute();
}

const signInActions = [
  "account.signed-in",
  "account.signed-out",
  "account.sign-in-failed",
  "account.second-factor-failed",
  "account.password-check-failed",
];

/** Returns the changes of one request, oldest first. */
export async function listAuditRowsOfRequest(db: DbOrTrx, requestId: string): Promise<AuditRow[]> {
  return selectAuditRows(db).where("l.request_id", "=", requestId).orderBy("l.id").execute();
}

const selectAuditRows = (db: DbOrTrx) =>
  db
    .selectFrom("audit_log as l")
    .leftJoin("users as u", "u.id", "l.user_id")
    .select([
      "l.id",
      "l.at",
      sql<string>`(extract(epoch from l.at) * 1000000)::bigint::text`.as("atUs"),
      "l.user_email as userEmail",
      "u.name as userName",
      "l.action",
      "l.entity",
      "l.entity_id as entityId",
      "l.before",
      "l.after",
      "l.request_id as requestId",
    ]);

/** Returns entries, newest first. `page.after` is the last entry of the previous page. */
export async function listAuditRows(
  db: DbOrTrx,
  filter: Omit<AuditQuery, "cursor" | "limit">,
  page: { limit: number; after: Pick<AuditRow, "atUs" | "id"> | null },
): Promise<AuditRow[]> {
  let query = selectAuditRows(db);
  if (filter.user !== undefined) {
    const pattern = `%${filter.user.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
    query = query.where(sql`lower(l.user_email)`, "like", pattern);
  }
  if (filter.action !== undefined) query = query.where("l.action", "=", filter.action);
  if (filter.entity !== undefined) query = query.where("l.entity", "=", filter.entity);
  if (filter.topic !== undefined) {
    query = query
      .where("l.entity", "=", "account")
      .where("l.action", filter.topic === "sign-ins" ? "in" : "not in", signInActions);
  }
  if (filter.entityId !== undefined) query = query.where("l.entity_id", "=", filter.entityId);
  if (filter.from !== undefined) {
    query = query.where("l.at", ">=", new Date(filter.from));
  }
  if (filter.to !== undefined) {
    const isDay = !filter.to.includes("T");
    query = query.where("l.at", "<", new Date(Date.parse(filter.to) + (isDay ? dayMs : 0)));
  }
  if (page.after !== null) {
    const { atUs, id } = page.after;
    const at = sql`(timestamptz 'epoch' + ${atUs}::bigint * interval '1 microsecond')`;
    query = query.where(sql<boolean>`(l.at, l.id) < (${at}, ${id}::uuid)`);
  }
  return query.orderBy("l.at", "desc").orderBy("l.id", "desc").limit(page.limit).execute();
}
