import type { Insertable, Selectable, Updateable } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import type { VideosTable } from "#server/db/schema.ts";
import { newId, newToken } from "#server/lib/ids.ts";
import { nextNumber } from "./sequence.ts";

export type VideoRow = Selectable<VideosTable>;

/** Ids of labels in display order. */
export interface VideoLabels {
  categoryIds?: string[];
  tagIds?: string[];
  actorIds?: string[];
}

/** Creates a listed video without media files. `values` sets any column. */
export async function makeVideo(
  db: DbOrTrx,
  values: Partial<Insertable<VideosTable>> = {},
  labels: VideoLabels = {},
): Promise<VideoRow> {
  const number = nextNumber();
  const isPublished = values.is_published ?? true;
  const row = await db
    .insertInto("videos")
    .values({
      id: newId(),
      slug: `video-${number}`,
      title: `Video ${number}`,
      status: "ready",
      is_published: isPublished,
      published_at: isPublished ? new Date() : null,
      duration_s: 60,
      width: 1280,
      height: 720,
      media_token: newToken(),
      progressive_key: "480p.mp4",
      thumbnail_key: "thumbnail.webp",
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const join = (ids: string[] | undefined) =>
    (ids ?? []).map((id, position) => ({ id, link: { video_id: row.id, position } }));
  for (const { id, link } of join(labels.categoryIds)) {
    await db
      .insertInto("video_categories")
      .values({ ...link, category_id: id })
      .execute();
  }
  for (const { id, link } of join(labels.tagIds)) {
    await db
      .insertInto("video_tags")
      .values({ ...link, tag_id: id })
      .execute();
  }
  for (const { id, link } of join(labels.actorIds)) {
    await db
      .insertInto("video_actors")
      .values({ ...link, actor_id: id })
      .execute();
  }
  return row;
}

/** Creates a video that only admins can see. */
export function makeDraft(
  db: DbOrTrx,
  values: Partial<Insertable<VideosTable>> = {},
): Promise<VideoRow> {
  return makeVideo(db, { is_published: false, ...values });
}

/** Changes columns of a video. */
export const changeVideo = (db: DbOrTrx, id: string, values: Updateable<VideosTable>) =>
  db.updateTable("videos").set(values).where("id", "=", id).execute();

/** Reads the row of a video. */
export const readVideo = (db: DbOrTrx, id: string) =>
  db.selectFrom("videos").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
