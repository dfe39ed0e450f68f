import { sql, type ExpressionBuilder, type Insertable } from "kysely";
import type {
  Assignee,
  Notice,
  ReportKind,
  ReportOutcome,
  ReportQuery,
  ReportState,
} from "#contract/visitors/reports.ts";
import type { Language } from "#contract/site/languages.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid } from "#server/lib/ids.ts";

export interface ReportRow {
  id: string;
  kind: ReportKind;
  videoId: string;
  videoTitle: string;
  videoSlug: string;
  commentId: string | null;
  reason: string;
  text: string;
  email: string | null;
  /** Sender's language; null for the site's. */
  language: Language | null;
  notice: Notice | null;
  state: ReportState;
  outcome: ReportOutcome | null;
  assignedTo: string | null;
  createdAt: Date;
  resolvedAt: Date | null;
}

/** Report with the related data that the back office shows. */
export interface ShownReport extends ReportRow {
  assigneeEmail: string | null;
  assigneeName: string | null;
  /** Current slug of the video; null if it was removed. */
  currentSlug: string | null;
  currentTitle: string | null;
  isPublished: boolean | null;
  /** Name in the comment; null without a comment. */
  commentName: string | null;
  commentText: string | null;
  commentState: "held" | "shown" | "removed" | null;
  others: number;
  noteCount: number;
}

const columns = [
  "reports.id",
  "reports.kind",
  "reports.video_id as videoId",
  "reports.video_title as videoTitle",
  "reports.video_slug as videoSlug",
  "reports.comment_id as commentId",
  "reports.reason",
  "reports.text",
  "reports.email",
  "reports.language",
  "reports.notice",
  "reports.state",
  "reports.outcome",
  "reports.assigned_to as assignedTo",
  "reports.created_at as createdAt",
  "reports.resolved_at as resolvedAt",
] as const;

export async function insertReports(
  trx: Trx,
  rows: readonly (Omit<Insertable<Database["reports"]>, "notice"> & { notice: Notice | null })[],
): Promise<void> {
  await trx
    .insertInto("reports")
    .values(
      rows.map((row) => ({
        ...row,
        notice: row.notice === null ? null : JSON.stringify(row.notice),
      })),
    )
    .execute();
}

/** Counts an address's reports since then: of this video, and of all. */
export async function countReportsFrom(
  trx: Trx,
  addressKey: string,
  { videoId, since }: { videoId: string; since: Date },
): Promise<{ ofVideo: number; ofAll: number }> {
  return trx
    .selectFrom("reports")
    .select([
      sql<number>`count(*) filter (where video_id = ${videoId})::int`.as("ofVideo"),
      sql<number>`count(*)::int`.as("ofAll"),
    ])
    .where("address_key", "=", addressKey)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
}

/**
 * Makes reports from one address wait for each other, so that concurrent ones can't exceed the
 * limit.
 */
export async function lockAddress(trx: Trx, addressKey: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`report ${addressKey}`}, 0))`.execute(
    trx,
  );
}

export async function clearAddressKeys(trx: Trx, before: Date): Promise<void> {
  await trx
    .updateTable("reports")
    .set({ address_key: null })
    .where("address_key", "is not", null)
    .where("created_at", "<", before)
    .execute();
}

const shown = (db: DbOrTrx) =>
  db
    .selectFrom("reports")
    .leftJoin("videos", "videos.id", "reports.video_id")
    .leftJoin("comments", "comments.id", "reports.comment_id")
    .leftJoin("users", "users.id", "reports.assigned_to")
    // Comments of videos in the trash.
    .leftJoinLateral(
      (is) =>
        is
          .selectFrom("removed_videos as r")
          .select(
            sql`(
              select kept from jsonb_array_elements(r.kept_rows -> 'comments') kept
              where kept ->> 'id' = reports.comment_id::text)`.as("comment"),
          )
          .whereRef("r.id", "=", "reports.video_id")
          .where("reports.comment_id", "is not", null)
          .as("trashed"),
      (join) => join.onTrue(),
    )
    .select([
      ...columns,
      "users.email as assigneeEmail",
      "users.name as assigneeName",
      "videos.slug as currentSlug",
      "videos.title as currentTitle",
      "videos.is_published as isPublished",
      sql<string | null>`coalesce(comments.name, trashed.comment ->> 'name')`.as("commentName"),
      sql<string | null>`coalesce(comments.text, trashed.comment ->> 'text')`.as("commentText"),
      sql<ShownReport["commentState"]>`coalesce(comments.state, trashed.comment ->> 'state')`.as(
        "commentState",
      ),
      sql<number>`(select count(*)::int from reports o where o.video_id = reports.video_id
        and o.comment_id is not distinct from reports.comment_id and o.state <> 'resolved' and o.id <> reports.id)`.as(
        "others",
      ),
      sql<number>`(select count(*)::int from report_notes n where n.report_id = reports.id)`.as(
        "noteCount",
      ),
    ]);

const matches =
  ({ state, kind, assigned }: ReportQuery, userId: string) =>
  (is: ExpressionBuilder<Database, "reports">) =>
    is.and([
      ...(kind === undefined ? [] : [is("reports.kind", "=", kind)]),
      ...(state === undefined
        ? []
        : [
            state === "unresolved"
              ? is("reports.state", "<>", "resolved")
              : is("reports.state", "=", state),
          ]),
      ...(assigned === undefined
        ? []
        : [
            assigned === "me"
              ? is("reports.assigned_to", "=", userId)
              : is("reports.assigned_to", "is", null),
          ]),
    ]);

/** Returns open reports, oldest first, or resolved ones, most recently resolved first. */
export async function listReports(
  db: DbOrTrx,
  filter: ReportQuery,
  page: { userId: string; limit: number; offset: number },
): Promise<ShownReport[]> {
  return shown(db)
    .where(matches(filter, page.userId))
    .orderBy("reports.resolved_at", (order) => order.desc().nullsFirst())
    .orderBy("reports.created_at")
    .orderBy("reports.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countReports(
  db: DbOrTrx,
  filter: ReportQuery,
  userId: string,
): Promise<{ total: number; open: number }> {
  const count = (query: ReportQuery) =>
    db
      .selectFrom("reports")
      .select(sql<number>`count(*)::int`.as("count"))
      .where(matches(query, userId))
      .executeTakeFirstOrThrow();
  const [total, open] = await Promise.all([
    count(filter),
    count({ kind: filter.kind, state: "open" }),
  ]);
  return { total: total.count, open: open.count };
}

export async function findReport(db: DbOrTrx, id: string): Promise<ShownReport | null> {
  return (await shown(db).where("reports.id", "=", id).executeTakeFirst()) ?? null;
}

/** @throws AppError not_found. */
export async function getReport(db: DbOrTrx, id: string): Promise<ShownReport> {
  return (isUuid(id) ? await findReport(db, id) : null) ?? throwNotFound();
}

/** @throws AppError not_found. */
export async function lockReport(trx: Trx, id: string): Promise<ReportRow> {
  if (!isUuid(id)) return throwNotFound();
  const query = trx.selectFrom("reports").select(columns).where("id", "=", id).forUpdate();
  return (await query.executeTakeFirst()) ?? throwNotFound();
}

function throwNotFound(): never {
  throw new AppError("not_found", "Report not found.");
}

/**
 * Returns a video's unresolved reports, and locks them in the order of their ids. They are about
 * the video itself, about one comment, or all of them.
 */
export async function lockVideoReports(
  trx: Trx,
  videoId: string,
  about: { commentId: string | null } | "all",
): Promise<ReportRow[]> {
  return trx
    .selectFrom("reports")
    .select(columns)
    .where("video_id", "=", videoId)
    .$if(about !== "all", (query) =>
      query.where(
        sql<boolean>`comment_id is not distinct from ${about === "all" ? null : about.commentId}::uuid`,
      ),
    )
    .where("state", "<>", "resolved")
    .orderBy("id")
    .forUpdate()
    .execute();
}

export async function updateReports(
  trx: Trx,
  ids: string[],
  values: {
    state?: ReportState;
    outcome?: ReportOutcome | null;
    assigned_to?: string | null;
    resolved_at?: Date | null;
  },
): Promise<void> {
  await trx.updateTable("reports").set(values).where("id", "in", ids).execute();
}

export async function deleteReport(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("reports").where("id", "=", id).execute();
}

export interface NoteRow {
  id: string;
  author: string;
  text: string;
  createdAt: Date;
}

export async function insertNote(trx: Trx, row: NoteRow & { reportId: string }): Promise<void> {
  await trx
    .insertInto("report_notes")
    .values({
      id: row.id,
      report_id: row.reportId,
      user_email: row.author,
      text: row.text,
      created_at: row.createdAt,
    })
    .execute();
}

export async function listNotes(db: DbOrTrx, reportId: string): Promise<NoteRow[]> {
  return db
    .selectFrom("report_notes")
    .select(["id", "user_email as author", "text", "created_at as createdAt"])
    .where("report_id", "=", reportId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Returns active users with one of these roles. */
export async function listUsersOfRoles(
  db: DbOrTrx,
  roles: Database["users"]["role"][],
): Promise<Assignee[]> {
  return db
    .selectFrom("users")
    .select(["id", "email", "name"])
    .where("role", "in", roles)
    .where("disabled_at", "is", null)
    .orderBy("email")
    .execute();
}

/**
 * Returns whether a user is active and has one of these roles, and keeps it so until the transaction
 * ends.
 */
export async function lockUserOfRoles(
  trx: Trx,
  id: string,
  roles: Database["users"]["role"][],
): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("role", "in", roles)
    .where("disabled_at", "is", null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

const logMax = 500;

/** Returns takedown notices that led to a removal, newest first. */
export async function listFollowedNotices(db: DbOrTrx): Promise<ReportRow[]> {
  return db
    .selectFrom("reports")
    .select(columns)
    .where("kind", "=", "takedown")
    .where("outcome", "<>", "dismissed")
    .orderBy("resolved_at", "desc")
    .limit(logMax)
    .execute();
}
