import { sql, type Insertable, type Selectable, type Updateable } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import type { Database, VideosTable } from "#server/db/schema.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid } from "#server/lib/ids.ts";
import { limits } from "#contract/limits.ts";
import { type LabelKind, labelKinds } from "#contract/lists/labels.ts";
import { isMembersOnly } from "./members-only.sql.ts";
import { labelTables } from "#server/features/labels/label-kinds.ts";
import { labelTag, videoTag, type ChangeTag } from "#server/db/change-tags.ts";

export type VideoRow = Selectable<VideosTable>;

export async function findVideoRow(db: DbOrTrx, idOrSlug: string): Promise<VideoRow | null> {
  const column = isUuid(idOrSlug) ? "id" : "slug";
  const row = await db
    .selectFrom("videos")
    .selectAll()
    .where(column, "=", idOrSlug)
    .executeTakeFirst();
  return row ?? null;
}

/** Like `findVideoRow`. @throws AppError not_found. */
export async function getVideoRow(db: DbOrTrx, idOrSlug: string): Promise<VideoRow> {
  const row = await findVideoRow(db, idOrSlug);
  if (row === null) throw new AppError("not_found", "Video not found");
  return row;
}

/**
 * Returns the id of a video if visitors may see it. Returns no more than the id, because most
 * callers only need that.
 */
export async function findReachableId(db: DbOrTrx, idOrSlug: string): Promise<string | null> {
  const column = isUuid(idOrSlug) ? sql`v.id` : sql`v.slug`;
  const { rows } = await sql<{ id: string }>`${prepared}
    select v.id from videos v where ${column} = ${idOrSlug} and v.is_reachable`.execute(db);
  return rows[0]?.id ?? null;
}

/** Video of a media token, with what decides who may see its files. */
type MediaOwner = Pick<
  VideoRow,
  "id" | "is_reachable" | "thumbnail_key" | "poster_key" | "preview_key" | "duration_s"
> & { isMembersOnly: boolean };

/** Returns the video with this media token, or null. */
export async function findByMediaToken(
  db: DbOrTrx,
  mediaToken: string,
): Promise<MediaOwner | null> {
  const { rows } = await sql<MediaOwner>`${prepared}
    select v.id, v.is_reachable, v.thumbnail_key, v.poster_key, v.preview_key, v.duration_s,
      ${isMembersOnly} as "isMembersOnly"
    from videos v where v.media_token = ${mediaToken}`.execute(db);
  return rows[0] ?? null;
}

/** Locks the row until the transaction ends. */
export async function lockVideoRow(trx: Trx, id: string): Promise<VideoRow | null> {
  const row = await trx
    .selectFrom("videos")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Like `lockVideoRow`. @throws AppError not_found. */
export async function lockExistingVideo(trx: Trx, id: string): Promise<VideoRow> {
  const row = await lockVideoRow(trx, id);
  if (row === null) throw new AppError("not_found", "Video not found");
  return row;
}

/** Inserts a video. @returns false if the slug is taken. */
export async function insertVideo(trx: Trx, row: Insertable<VideosTable>): Promise<boolean> {
  const inserted = await trx
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

/** Locks the rows in the order of their ids, as does every statement on several videos. */
export async function lockVideosToRemove(trx: Trx, ids: string[]): Promise<void> {
  await sql`select from videos where id = any(${ids}::uuid[]) order by id for update`.execute(trx);
}

/**
 * Locks videos and their clips in the order of their ids, because a change of a video also changes
 * its clips. @returns the ids of all, and those that don't exist.
 */
export async function lockWithClips(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from videos
    where id = any(${[...ids]}::uuid[]) or clip_of = any(${[...ids]}::uuid[])
    order by id for no key update`.execute(trx);
  return [...new Set([...ids, ...rows.map(({ id }) => id)])];
}

export async function deleteVideos(trx: Trx, ids: string[]): Promise<void> {
  await sql`delete from videos where id = any(${ids}::uuid[])`.execute(trx);
}

export interface ChangedVideo {
  id: string;
  title: string;
}

/**
 * Selects rows to update and locks them in the order of their ids, so that two statements can't
 * deadlock.
 */
export const lockedRows = (ids: string[]) => sql`
  (select id, publish_at from videos where id = any(${ids}::uuid[]) order by id for no key update)`;

/** Sets a column of the videos. @returns the videos that had another value. */
export async function setVideoColumn<Column extends "is_premium" | "embedding">(
  trx: Trx,
  ids: string[],
  column: Column,
  value: VideoRow[Column],
): Promise<ChangedVideo[]> {
  const { rows } = await sql<ChangedVideo>`
    with l as materialized ${lockedRows(ids)}
    update videos v set ${sql.ref(column)} = ${value}, version = version + 1
    from l where v.id = l.id and v.${sql.ref(column)} <> ${value}
    returning v.id, v.title`.execute(trx);
  return rows;
}

/** Returns whether another video has this slug. */
export async function isSlugTaken(trx: Trx, slug: string, exceptId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("videos")
    .select("id")
    .where("slug", "=", slug)
    .where("id", "<>", exceptId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the error for a slug that another video has. */
export function slugTaken(slug: string): AppError {
  const message = `Another video already uses the address "${slug}".`;
  return new AppError("conflict", message, { issues: [{ path: "slug", message }] });
}

/**
 * Adds labels to the end of the lists of videos that lack them. Skips videos that would exceed
 * the limit. @returns the changed videos.
 */
export async function addLabels(
  trx: Trx,
  kind: LabelKind,
  ids: string[],
  labelIds: string[],
): Promise<ChangedVideo[]> {
  const { join, column } = labelTables[kind];
  const { rows } = await sql<ChangedVideo>`
    with l as materialized ${lockedRows(ids)},
    added as (
      insert into ${sql.table(join)} as j (video_id, ${sql.ref(column)}, position)
      select l.id, g.id, own.next + g.at - 1
      from l cross join lateral (
        select coalesce(max(position) + 1, 0) as next,
          count(*) filter (where ${sql.ref(column)} <> all(${labelIds}::uuid[])) as others
        from ${sql.table(join)} where video_id = l.id
      ) own cross join unnest(${labelIds}::uuid[]) with ordinality as g (id, at)
      where own.others + ${labelIds.length}::int <= ${limits.labelsPerVideoMax}::int
      order by 1, 2
      on conflict do nothing
      returning j.video_id
    )
    update videos v set version = version + 1
    where v.id in (select video_id from added)
    returning v.id, v.title`.execute(trx);
  return rows;
}

/** Removes labels. @returns the videos that lost one. */
export async function removeLabels(
  trx: Trx,
  kind: LabelKind,
  ids: string[],
  labelIds: string[],
): Promise<ChangedVideo[]> {
  const { join, column } = labelTables[kind];
  const { rows } = await sql<ChangedVideo>`
    with l as materialized ${lockedRows(ids)},
    removed as (
      delete from ${sql.table(join)} j using l
      where j.video_id = l.id and j.${sql.ref(column)} = any(${labelIds}::uuid[])
      returning j.video_id
    )
    update videos v set version = version + 1
    where v.id in (select video_id from removed)
    returning v.id, v.title`.execute(trx);
  return rows;
}

/**
 * Returns the cache tags of these videos. For videos that visitors can see, also returns those of
 * all lists that may show them.
 */
export async function listVideoTags(db: DbOrTrx, ids: readonly string[]): Promise<ChangeTag[]> {
  const tags = ids.map(videoTag);
  const { rows: found } = await sql<{ isReachable: boolean; clipOf: string | null }>`
    select distinct is_reachable as "isReachable", clip_of as "clipOf"
    from videos where id = any(${[...ids]}::uuid[])`.execute(db);
  // Pages of long videos list their clips.
  for (const { clipOf } of found) if (clipOf !== null) tags.push(videoTag(clipOf));
  if (!found.some(({ isReachable }) => isReachable)) return tags;
  tags.push("videos");
  for (const kind of labelKinds) {
    const { join, column } = labelTables[kind];
    const { rows } = await sql<{ id: string }>`
      select distinct ${sql.ref(column)} as id from ${sql.table(join)}
      where video_id = any(${[...ids]}::uuid[]) and listed_at is not null`.execute(db);
    for (const { id } of rows) tags.push(labelTag(kind, id));
  }
  return tags;
}

export type ReplacementRow = Selectable<Database["video_replacements"]>;

/** Returns a video's new file if it is being processed or has failed. */
export async function findOpenReplacement(
  db: DbOrTrx,
  videoId: string,
): Promise<ReplacementRow | null> {
  const row = await db
    .selectFrom("video_replacements")
    .selectAll()
    .where("video_id", "=", videoId)
    .where("switched_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}
