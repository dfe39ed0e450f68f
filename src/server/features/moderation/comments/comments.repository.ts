import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

export interface CommentRow {
  id: string;
  name: string | null;
  text: string;
  createdAt: Date;
}

/** Returns a video's visible comments, newest first. Sorts by id, because ids grow with time. */
export async function listComments(
  db: DbOrTrx,
  videoId: string,
  page: { before: string | null; limit: number },
): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    select id, name, text, created_at as "createdAt" from comments
    where video_id = ${videoId} and state = 'shown'
      ${page.before === null ? sql`` : sql`and id < ${page.before}::uuid`}
    order by id desc limit ${page.limit}`.execute(db);
  return rows;
}

export async function insertComment(
  trx: Trx,
  row: CommentRow & {
    videoId: string;
    visitorId: string;
    addressKey: string;
    state: "held" | "shown";
  },
): Promise<void> {
  await sql`
    insert into comments (id, video_id, visitor_id, name, text, state, address_key, created_at)
    values (${row.id}, ${row.videoId}, ${row.visitorId}, ${row.name}, ${row.text}, ${row.state},
      ${row.addressKey}, ${row.createdAt})`.execute(trx);
}

/**
 * Makes comments from one address wait for each other, so that concurrent ones can't exceed the
 * limit.
 */
export async function lockCommentAddress(trx: Trx, addressKey: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`comment ${addressKey}`}, 0))`.execute(
    trx,
  );
}

/** Counts an address's comments in the last minutes, and in a day. */
export async function countCommentsFrom(
  trx: Trx,
  addressKey: string,
  since: { short: Date; long: Date },
): Promise<{ short: number; long: number }> {
  const { rows } = await sql<{ short: number; long: number }>`
    select count(*) filter (where created_at > ${since.short})::int as short, count(*)::int as long
    from comments where address_key = ${addressKey} and created_at > ${since.long}`.execute(trx);
  return rows[0] ?? { short: 0, long: 0 };
}

/** Returns whether visitors see this comment of this video. */
export async function isShownComment(db: DbOrTrx, id: string, videoId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from comments where id = ${id} and video_id = ${videoId} and state = 'shown'`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Changes the state of a comment, also while its video is in the trash.
 * @returns false if the comment no longer exists.
 */
export async function setCommentState(
  trx: Trx,
  { id, videoId }: { id: string; videoId: string },
  state: "shown" | "removed",
): Promise<boolean> {
  const { rows } = await sql`
    update comments set state = ${state} where id = ${id} returning id`.execute(trx);
  if (rows.length > 0) return true;
  const own = JSON.stringify({ comments: [{ id }] });
  const changed = JSON.stringify({ state });
  const { numAffectedRows } = await sql`
    update removed_videos set kept_rows = jsonb_set(kept_rows, '{comments}',
      (select jsonb_agg(case when kept ->> 'id' = ${id} then kept || ${changed}::jsonb else kept end)
        from jsonb_array_elements(kept_rows -> 'comments') kept))
    where id = ${videoId} and kept_rows @> ${own}::jsonb`.execute(trx);
  return Number(numAffectedRows ?? 0) > 0;
}
