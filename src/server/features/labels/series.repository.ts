import { sql, type RawBuilder } from "kysely";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { SeriesMove } from "#contract/lists/series.ts";
import type { Translations } from "#contract/videos/translations.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { labelTables } from "./label-kinds.ts";

/** Series of a video. */
export interface SeriesRef {
  kind: LabelKind;
  id: string;
  name: string;
  slug: string;
}

export interface SeriesVideoRow {
  id: string;
  slug: string;
  title: string;
  translations: Translations;
  thumbnailKey: string | null;
  durationS: number;
  isListed: boolean;
}

/** Videos of a label as `j`, with a condition. */
function videosOf(
  kind: LabelKind,
  labelId: string,
): { from: RawBuilder<unknown>; label: RawBuilder<unknown> } {
  const { join, column } = labelTables[kind];
  const label = sql`j.${sql.ref(column)} = ${labelId}::uuid`;
  return { from: sql`${sql.table(join)} j`, label };
}

const videoColumns = sql`v.id, v.slug, v.title, v.translations, v.thumbnail_key as "thumbnailKey",
  v.duration_s as "durationS", v.is_listed as "isListed"`;

/** Returns a page of a series for the back office, and the number of all its videos. */
export async function listOrder(
  db: DbOrTrx,
  kind: LabelKind,
  labelId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: SeriesVideoRow[]; total: number }> {
  const { from, label } = videosOf(kind, labelId);
  const { rows } = await sql<SeriesVideoRow & { at: number }>`
    select ${videoColumns} from (
      select j.video_id, j.series_key from ${from} where ${label}
      order by j.series_key, j.video_id limit ${page.limit} offset ${page.offset}
    ) p join videos v on v.id = p.video_id order by p.series_key, p.video_id`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from ${from} where ${label}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

/**
 * Returns the ids of the listed videos of a series in order, and its slug. Null if the label isn't a
 * series.
 */
export async function listListedParts(
  db: DbOrTrx,
  kind: LabelKind,
  labelId: string,
  page: { limit: number; offset: number },
): Promise<{ ids: string[]; slug: string } | null> {
  const series = await db
    .selectFrom(kind)
    .select(["slug", "is_series"])
    .where("id", "=", labelId)
    .executeTakeFirst();
  if (series?.is_series !== true) return null;
  const { from, label } = videosOf(kind, labelId);
  const { rows } = await sql<{ id: string }>`
    select j.video_id as id from ${from}
    where ${label} and j.series_key is not null and j.listed_at is not null
    order by j.series_key, j.video_id limit ${page.limit} offset ${page.offset}`.execute(db);
  return { ids: rows.map(({ id }) => id), slug: series.slug };
}

/** Returns the total duration of the videos of a label in seconds. */
export async function readRunningTime(
  db: DbOrTrx,
  kind: LabelKind,
  labelId: string,
  isAdmin: boolean,
): Promise<number> {
  const { from, label } = videosOf(kind, labelId);
  const { rows } = await sql<{ durationS: number }>`
    select coalesce(sum(v.duration_s), 0)::float8 as "durationS"
    from ${from} join videos v on v.id = j.video_id
    where ${label} and (${isAdmin} or j.listed_at is not null)`.execute(db);
  return rows[0]?.durationS ?? 0;
}

interface PlaceRow {
  part: number;
  total: number;
  previousId: string | null;
  nextId: string | null;
}

/** Returns the place of a listed video in a series, or null if visitors don't see it there. */
export async function findPlace(
  db: DbOrTrx,
  { kind, id: labelId }: SeriesRef,
  videoId: string,
): Promise<PlaceRow | null> {
  const { from, label } = videosOf(kind, labelId);
  const parts = sql`${from} where ${label} and j.series_key is not null and j.listed_at is not null`;
  const { rows } = await sql<PlaceRow>`
    with own as materialized (
      select j.series_key, j.video_id from ${parts} and j.video_id = ${videoId}::uuid)
    select
      (select count(*)::int from ${parts}) as total,
      (select count(*)::int from ${parts}
        and (j.series_key, j.video_id) <= (own.series_key, own.video_id)) as part,
      (select j.video_id from ${parts}
        and (j.series_key, j.video_id) < (own.series_key, own.video_id)
        order by j.series_key desc, j.video_id desc limit 1) as "previousId",
      (select j.video_id from ${parts}
        and (j.series_key, j.video_id) > (own.series_key, own.video_id)
        order by j.series_key, j.video_id limit 1) as "nextId"
    from own`.execute(db);
  return rows[0] ?? null;
}

export async function listVideosById(
  db: DbOrTrx,
  ids: readonly string[],
): Promise<SeriesVideoRow[]> {
  const { rows } = await sql<SeriesVideoRow>`
    select ${videoColumns} from videos v where v.id = any(${[...ids]}::uuid[])`.execute(db);
  return rows;
}

/** Returns the slugs of all series' videos in order, for the CSV export of labels. */
export async function listSlugsInOrder(
  db: DbOrTrx,
  kind: LabelKind,
  labelId: string,
): Promise<string[]> {
  const { from, label } = videosOf(kind, labelId);
  const { rows } = await sql<{ slug: string }>`
    select v.slug from ${from} join videos v on v.id = j.video_id where ${label}
    order by j.series_key, j.video_id`.execute(db);
  return rows.map(({ slug }) => slug);
}

/** Returns the ids of these slugs. Slugs that no video has are missing. */
export async function findIdsOfSlugs(
  db: DbOrTrx,
  slugs: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; slug: string }>`
    select id, slug from videos where slug = any(${[...slugs]}::text[])`.execute(db);
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

// The following calls need the label's lock.

/** Places the videos without a place at the end, in the order of their publication. */
export async function fillKeys(trx: Trx, kind: LabelKind, labelId: string): Promise<void> {
  const { from, label } = videosOf(kind, labelId);
  await sql`
    update ${from} set series_key = g.key
    from (
      select video_id, nextval('series_keys') as key from (
        select j.video_id from ${from} join videos v on v.id = j.video_id
        where ${label} and j.series_key is null
        order by coalesce(v.published_at, v.created_at), v.id
      ) ordered
    ) g where ${label} and j.video_id = g.video_id`.execute(trx);
}

/** Forgets the order of a label that isn't a series. */
export async function clearKeys(trx: Trx, kind: LabelKind, labelId: string): Promise<void> {
  const { from, label } = videosOf(kind, labelId);
  await sql`
    update ${from} set series_key = null where ${label} and series_key is not null`.execute(trx);
}

/**
 * Sorts the videos of a series: those with these ids first, then the others in their current order.
 * With new keys, equal and crowded ones are spread out.
 */
export async function sortVideos(
  trx: Trx,
  kind: LabelKind,
  labelId: string,
  ids: readonly string[],
): Promise<void> {
  const { from, label } = videosOf(kind, labelId);
  await sql`
    update ${from} set series_key = g.key
    from (
      select video_id, nextval('series_keys') as key from (
        select j.video_id from ${from}
        left join unnest(${[...ids]}::uuid[]) with ordinality as given (id, at)
          on given.id = j.video_id
        where ${label} order by given.at, j.series_key, j.video_id
      ) ordered
    ) g where ${label} and j.video_id = g.video_id`.execute(trx);
}

/** Returns which of these videos have the label. */
export async function listMembers(
  trx: Trx,
  kind: LabelKind,
  labelId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { from, label } = videosOf(kind, labelId);
  const { rows } = await sql<{ id: string }>`
    select j.video_id as id from ${from}
    where ${label} and j.video_id = any(${[...ids]}::uuid[])`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** Gives the label to videos that lack it, in this order. */
export async function addVideos(
  trx: Trx,
  kind: LabelKind,
  labelId: string,
  ids: readonly string[],
): Promise<void> {
  const { join, column } = labelTables[kind];
  await sql`
    insert into ${sql.table(join)} (video_id, ${sql.ref(column)}, position)
    select v.id, ${labelId}::uuid,
      coalesce((select max(position) + 1 from ${sql.table(join)} where video_id = v.id), 0)
    from unnest(${[...ids]}::uuid[]) with ordinality as given (id, at)
    join videos v on v.id = given.id order by given.at
    on conflict do nothing`.execute(trx);
}

/** Place of a video among all videos of a series, from 1. Null if it isn't there. */
export async function findPartForAdmin(
  trx: Trx,
  kind: LabelKind,
  labelId: string,
  videoId: string,
): Promise<number | null> {
  const { from, label } = videosOf(kind, labelId);
  const { rows } = await sql<{ part: number }>`
    select (select count(*)::int from ${from} where ${label}
      and (j.series_key, j.video_id) <= (own.series_key, own.video_id)) as part
    from (select j.series_key, j.video_id from ${from}
      where ${label} and j.video_id = ${videoId}::uuid) own`.execute(trx);
  return rows[0]?.part ?? null;
}

interface Neighbours {
  before: number | null;
  after: number | null;
}

/**
 * Returns the keys between which a moved video goes. Null if the video that it should follow isn't
 * in the series.
 */
async function findGap(
  trx: Trx,
  kind: LabelKind,
  labelId: string,
  move: SeriesMove,
): Promise<Neighbours | null> {
  const { from, label } = videosOf(kind, labelId);
  const others = sql`${from} where ${label} and j.video_id <> ${move.videoId}::uuid`;
  const follows =
    "to" in move
      ? sql`select j.series_key, j.video_id from ${others}
          order by j.series_key, j.video_id limit 1 offset ${Math.max(0, move.to - 2)}`
      : sql`select j.series_key, j.video_id from ${others} and j.video_id = ${move.after}::uuid`;
  const isFirst = "to" in move ? move.to === 1 : move.after === null;
  const { rows } = await sql<Neighbours>`
    with own as (${isFirst ? sql`select null::float8 as series_key, null::uuid as video_id` : follows})
    select own.series_key as before, (
      select j.series_key from ${others}
      and (${isFirst} or (j.series_key, j.video_id) > (own.series_key, own.video_id))
      order by j.series_key, j.video_id limit 1) as after
    from own`.execute(trx);
  const [gap] = rows;
  if (gap !== undefined) return gap;
  // The end, if the place is behind the last video.
  return "to" in move ? { before: null, after: null } : null;
}

/**
 * Moves a video to its new place.
 * @returns false if the video that it should follow isn't in the series.
 */
export async function moveVideo(
  trx: Trx,
  kind: LabelKind,
  labelId: string,
  move: SeriesMove,
): Promise<boolean> {
  const { from, label } = videosOf(kind, labelId);
  const gap = await findGap(trx, kind, labelId, move);
  if (gap === null) return false;
  const { before, after } = gap;
  const middle = before === null || after === null ? null : (before + after) / 2;
  if (
    middle !== null &&
    before !== null &&
    after !== null &&
    !(before < middle && middle < after)
  ) {
    // No number fits between the two keys.
    await sortVideos(trx, kind, labelId, []);
    return moveVideo(trx, kind, labelId, move);
  }
  const key =
    after === null ? sql`nextval('series_keys')` : sql`${middle ?? after - 1}::double precision`;
  await sql`
    update ${from} set series_key = ${key}
    where ${label} and j.video_id = ${move.videoId}::uuid`.execute(trx);
  return true;
}
