import { sql, type Insertable, type Selectable, type Updateable } from "kysely";
import type { TaxonomyKind } from "../../../contract/taxonomy.ts";
import type { Label } from "../../../contract/videos.ts";
import type { DbOrTrx } from "../../db/connection.ts";
import type { VideosTable } from "../../db/schema.ts";
import { isUuid } from "../../lib/ids.ts";
import { partOf } from "../../storage/media-address.ts";
import type { HydratedVideo } from "./videos.presenter.ts";

export type VideoRow = Selectable<VideosTable>;

/** One round trip for the labels of a page of videos, however many there are. */
async function listLabels(
  db: DbOrTrx,
  videoIds: string[],
): Promise<Map<string, Record<TaxonomyKind, Label[]>>> {
  const byVideo = new Map<string, Record<TaxonomyKind, Label[]>>();
  for (const id of videoIds) byVideo.set(id, { categories: [], tags: [], actors: [] });
  const { rows } = await sql<Label & { videoId: string; kind: TaxonomyKind }>`
    select 'categories' as kind, j.video_id as "videoId", j.position, t.id, t.name, t.slug
      from video_categories j join categories t on t.id = j.category_id
      where j.video_id = any(${videoIds}::uuid[])
    union all
    select 'tags', j.video_id, j.position, t.id, t.name, t.slug
      from video_tags j join tags t on t.id = j.tag_id
      where j.video_id = any(${videoIds}::uuid[])
    union all
    select 'actors', j.video_id, j.position, t.id, t.name, t.slug
      from video_actors j join actors t on t.id = j.actor_id
      where j.video_id = any(${videoIds}::uuid[])
    order by position, name`.execute(db);
  for (const { videoId, kind, id, name, slug } of rows) {
    byVideo.get(videoId)?.[kind].push({ id, name, slug });
  }
  return byVideo;
}

/** The videos of these ids with their labels, in the order of the ids. Unknown ids are left out. */
export async function hydrateVideos(db: DbOrTrx, ids: string[]): Promise<HydratedVideo[]> {
  if (ids.length === 0) return [];
  const [rows, labels] = await Promise.all([
    db
      .selectFrom("videos")
      .selectAll()
      .where("id", "=", sql<string>`any(${ids}::uuid[])`)
      .execute(),
    listLabels(db, ids),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));

  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    return [{ row, labels: labels.get(id) ?? { categories: [], tags: [], actors: [] } }];
  });
}

/** By id or slug; old slugs lead to their video too. */
export async function findVideoRow(db: DbOrTrx, idOrSlug: string): Promise<VideoRow | null> {
  const column = isUuid(idOrSlug) ? "id" : "slug";
  const row = await db
    .selectFrom("videos")
    .selectAll()
    .where(column, "=", idOrSlug)
    .executeTakeFirst();
  return row ?? null;
}

export async function findVideoByToken(
  db: DbOrTrx,
  mediaToken: string,
): Promise<{ id: string; isListed: boolean } | null> {
  const row = await db
    .selectFrom("videos")
    .select(["id", "is_listed"])
    .where("media_token", "=", mediaToken)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, isListed: row.is_listed };
}

/** Locks the row for the rest of the transaction. */
export async function lockVideoRow(trx: DbOrTrx, id: string): Promise<VideoRow | null> {
  const row = await trx
    .selectFrom("videos")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts; false where the slug is taken. */
export async function insertVideo(db: DbOrTrx, row: Insertable<VideosTable>): Promise<boolean> {
  const inserted = await db
    .insertInto("videos")
    .values(row)
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateVideo(
  db: DbOrTrx,
  id: string,
  values: Updateable<VideosTable>,
): Promise<void> {
  await db
    .updateTable("videos")
    .set({ ...values, updated_at: new Date() })
    .where("id", "=", id)
    .execute();
}

/**
 * How far processing has come, from 0 to 1. Nobody waits for such a report: one that arrives behind
 * the end, or from a worker taken for dead, must not make a finished or failed video unfinished.
 */
export async function reportProgress(db: DbOrTrx, id: string, progress: number): Promise<void> {
  await db
    .updateTable("videos")
    .set({ progress, updated_at: new Date() })
    .where("id", "=", id)
    .where("progress", "<", 1)
    .execute();
}

export async function deleteVideo(db: DbOrTrx, id: string): Promise<void> {
  await db.deleteFrom("videos").where("id", "=", id).execute();
}

/** The parts of a video's folder that its row names; see `partOf`. */
export function usedParts(
  row: Pick<
    VideoRow,
    | "poster_key"
    | "thumbnail_key"
    | "progressive_key"
    | "progressive_small_key"
    | "hls_key"
    | "preview_key"
    | "storyboard_key"
  >,
): Set<string> {
  const keys = [
    row.poster_key,
    row.thumbnail_key,
    row.progressive_key,
    row.progressive_small_key,
    row.hls_key,
    row.preview_key,
    row.storyboard_key,
  ];
  return new Set(keys.flatMap((key) => (key === null ? [] : [partOf(key)])));
}
