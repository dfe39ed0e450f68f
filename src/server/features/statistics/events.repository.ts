import { sql } from "kysely";
import type { VideoEvent } from "#contract/site/admin-events.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { mediaUrl } from "#server/storage/media-keys.ts";

const maxUnfinished = 200;

/** Returns the state of these videos and of all that are being processed. */
export async function listVideoEvents(db: DbOrTrx, ids: string[]): Promise<VideoEvent[]> {
  const { rows } = await sql<Omit<VideoEvent, "type" | "thumbnail"> & { key: string | null }>`
    select id, status, progress, failure_reason as "failureReason",
      is_published as "isPublished", thumbnail_key as key, version
    from videos where id = any(${ids}::uuid[])
    union all
    (select id, status, progress, failure_reason, is_published, thumbnail_key, version
    from videos where status = 'processing' or (status = 'ready' and progress < 1)
    order by created_at, id limit ${maxUnfinished})`.execute(db);
  return rows.map(({ key, ...row }) => ({ type: "video", ...row, thumbnail: mediaUrl(key) }));
}

/** Returns the latest bulk actions, with a text that changes with their state. */
export async function listBulkStates(db: DbOrTrx): Promise<{ id: string; state: string }[]> {
  const { rows } = await sql<{ id: string; state: string }>`
    select id, concat(state, done) as state from bulk_jobs
    order by created_at desc, id desc limit 10`.execute(db);
  return rows;
}
