import { sql } from "kysely";
import type { ClipOptions } from "#contract/videos/clips.ts";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { labelTables } from "#server/features/labels/label-kinds.ts";

/** Returns the ids of a video's listed clips, in the order of their passages. */
export async function listClipIds(db: DbOrTrx, longId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from videos where clip_of = ${longId}::uuid and is_listed
    order by clip_start_s, id limit 50`.execute(db);
  return rows.map(({ id }) => id);
}

export const getLongVideo = (db: DbOrTrx, id: string) =>
  db
    .selectFrom("videos")
    .select(["description", "duration_s", "chapters"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

/** Locks a video against changes, which must not miss a new clip of it. */
export async function lockLongVideo(trx: Trx, id: string) {
  const row = await trx
    .selectFrom("videos")
    .select([
      ...(["title", "clip_of", "status", "source_sha256", "duration_s", "embedding"] as const),
      "progressive_key",
    ])
    .where("id", "=", id)
    .forShare()
    .executeTakeFirst();
  return row ?? null;
}

export async function listLabelNames(
  trx: Trx,
  kind: Extract<LabelKind, "tags" | "actors">,
  videoId: string,
): Promise<string[]> {
  const { join, column } = labelTables[kind];
  const { rows } = await sql<{ name: string }>`
    select t.name from ${sql.table(join)} j join ${sql.table(kind)} t on t.id = j.${sql.ref(column)}
    where j.video_id = ${videoId}::uuid order by j.position`.execute(trx);
  return rows.map(({ name }) => name);
}

/** Returns how often each part of a video was replayed; null without counted plays. */
export async function readReplays(
  db: DbOrTrx,
  videoId: string,
): Promise<{ plays: number; replayed: number[] } | null> {
  const { rows } = await sql<{ plays: number; replayed: number[] | null }>`
    select coalesce(sum(plays), 0)::int as plays, sum_bins(replayed) as replayed
    from video_bins where video_id = ${videoId}::uuid`.execute(db);
  const { plays = 0, replayed = null } = rows[0] ?? {};
  return replayed === null ? null : { plays, replayed };
}

/** Returns a video's clips and drafts, in the order of their passages. */
export async function listClipRows(db: DbOrTrx, longId: string): Promise<ClipOptions["clips"]> {
  const { rows } = await sql<ClipOptions["clips"][number]>`
    with brought as (
      select name, sum(plays)::int as viewers from video_sources
      where video_id = ${longId}::uuid and kind = 'clip' group by name
    )
    select v.id, v.slug, v.title, v.clip_start_s as "startS", v.clip_end_s as "endS",
      v.is_published as "isPublished", v.status, coalesce(b.viewers, 0) as "broughtViewers"
    from videos v left join brought b on b.name = v.id::text
    where v.clip_of = ${longId}::uuid
    order by v.clip_start_s, v.id limit 500`.execute(db);
  return rows;
}
