import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { isUuid } from "#server/lib/ids.ts";

interface Origin {
  source: string;
  sourceId: string;
}

interface KnownOrigin extends Origin {
  videoId: string;
  isComplete: boolean;
  /** False until it is in the series of its playlists. */
  isPlaced: boolean;
  /** False if it was removed since, or never completed. */
  exists: boolean;
}

/** Returns which of these videos were imported, or are being imported. */
export async function listOrigins(db: DbOrTrx, origins: readonly Origin[]): Promise<KnownOrigin[]> {
  const { rows } = await sql<KnownOrigin>`
    select o.source, o.source_id as "sourceId", o.video_id as "videoId",
      o.is_complete as "isComplete", o.is_placed as "isPlaced",
      exists (select from videos v where v.id = o.video_id) as "exists"
    from unnest(${origins.map(({ source }) => source)}::text[],
      ${origins.map(({ sourceId }) => sourceId)}::text[]) as g (source, source_id)
    join video_origins o using (source, source_id)`.execute(db);
  return rows;
}

/**
 * Reserves the ID of a video here for a video elsewhere. The first caller decides, and every later
 * one gets the same ID, also in another process.
 */
export async function claimOrigin(
  db: DbOrTrx,
  { source, sourceId }: Origin,
  newVideoId: string,
): Promise<{ videoId: string; isComplete: boolean }> {
  const { rows } = await sql<{ videoId: string; isComplete: boolean }>`
    insert into video_origins as o (source, source_id, video_id)
    values (${source}, ${sourceId}, ${newVideoId}::uuid)
    on conflict (source, source_id) do update set source = o.source
    returning o.video_id as "videoId", o.is_complete as "isComplete"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("the origin wasn't stored");
  return row;
}

export async function completeOrigin(db: DbOrTrx, videoId: string): Promise<void> {
  await db
    .updateTable("video_origins")
    .set({ is_complete: true })
    .where("video_id", "=", videoId)
    .execute();
}

/** Notes that these videos are in the series of their playlists. */
export async function placeOrigins(db: DbOrTrx, videoIds: readonly string[]): Promise<void> {
  await sql`
    update video_origins set is_placed = true
    where video_id = any(${[...videoIds]}::uuid[])`.execute(db);
}

/** Forgets a claim whose video was never created, so that the file can be repaired. */
export async function releaseOrigin(db: DbOrTrx, videoId: string): Promise<void> {
  await sql`
    delete from video_origins o where video_id = ${videoId}::uuid and not is_complete
      and not exists (select from videos v where v.id = o.video_id)
      and not exists (select from removed_videos r where r.id = o.video_id)`.execute(db);
}

/** Returns the video that a row of a redirect map means: an ID, slug or ID of the source. */
export async function findTarget(db: DbOrTrx, name: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select v.id, 1 as rank from videos v
      where ${isUuid(name) ? sql`v.id = ${name}::uuid` : sql`v.slug = ${name}`}
      union all
      select v.id, 2 from video_origins o join videos v on v.id = o.video_id
      where o.source_id = ${name} or o.source_id like ${`${escapeLike(name)} (% bytes)`}
    ) found order by rank, id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** Returns whether a video has this ID or slug, or had this slug. */
export async function isVideoName(db: DbOrTrx, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from videos where ${isUuid(name) ? sql`id = ${name}::uuid` : sql`slug = ${name}`}
    union all
    select 1 from slug_redirects where kind = 'videos' and slug = ${name} limit 1`.execute(db);
  return rows.length > 0;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/**
 * Makes an address lead to a video, unless it leads to another one.
 * @returns the slug of that other video, or null if the address leads to this one now.
 */
export async function saveAddress(
  db: DbOrTrx,
  address: string,
  videoId: string,
): Promise<string | null> {
  const { rows } = await sql<{ slug: string }>`
    with taken as (
      select v.slug from old_addresses a join videos v on v.id = a.video_id
      where a.address = ${address} and a.video_id <> ${videoId}::uuid
    ), saved as (
      insert into old_addresses (address, video_id)
      select ${address}, ${videoId}::uuid where not exists (select from taken)
      on conflict (address) do update set video_id = excluded.video_id
    )
    select slug from taken`.execute(db);
  return rows[0]?.slug ?? null;
}

/** Returns the slug of another video to which an address leads, or null. */
export async function findOtherVideo(
  db: DbOrTrx,
  address: string,
  videoId: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ slug: string }>`
    select v.slug from old_addresses a join videos v on v.id = a.video_id
    where a.address = ${address} and a.video_id is distinct from ${videoId}::uuid`.execute(db);
  return rows[0]?.slug ?? null;
}

/** Returns the video that was imported from this place, and when. Null without one. */
export async function findImported(
  db: DbOrTrx,
  { source, sourceId }: Origin,
): Promise<{ videoId: string; at: Date } | null> {
  const row = await db
    .selectFrom("video_origins")
    .select(["video_id as videoId", "created_at as at"])
    .where("source", "=", source)
    .where("source_id", "=", sourceId)
    .where("is_complete", "=", true)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns which platform a video came from, and its ID there. */
export async function findOrigin(
  db: DbOrTrx,
  videoId: string,
): Promise<{ source: string; sourceId: string } | null> {
  const row = await db
    .selectFrom("video_origins")
    .select(["source", "source_id as sourceId"])
    .where("video_id", "=", videoId)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the video that visitors can see at the first of these old addresses that has one. */
export async function findByAddress(
  db: DbOrTrx,
  addresses: readonly string[],
): Promise<{ id: string; slug: string } | null> {
  const { rows } = await sql<{ id: string; slug: string }>`
    select v.id, v.slug
    from unnest(${[...addresses]}::text[]) with ordinality as g (address, rank)
    join old_addresses a using (address) join videos v on v.id = a.video_id
    where v.is_reachable order by g.rank limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns the first segments of all old addresses, in lower case. */
export async function listFirstSegments(db: DbOrTrx): Promise<string[]> {
  const { rows } = await sql<{ segment: string }>`
    select distinct lower(split_part(split_part(address, '?', 1), '/', 2)) as segment
    from old_addresses`.execute(db);
  return rows.map(({ segment }) => segment);
}

/**
 * Returns how long processing takes on this site per second and megapixel of a video, from its
 * latest completed jobs. Null without enough of them.
 */
export async function measureProcessing(db: DbOrTrx): Promise<number | null> {
  const { rows } = await sql<{ busyS: number; work: number; videos: number }>`
    with spent as (
      select data ->> 'videoId' as id,
        sum(extract(epoch from completed_on - started_on))::float8 as seconds
      from pgboss.job where state = 'completed' and name like 'video.%'
        and name not in ('video.captions', 'video.drop-original')
        and completed_on > now() - interval '14 days'
      group by 1 order by max(completed_on) desc limit 100
    )
    select coalesce(sum(s.seconds), 0)::float8 as "busyS", count(*)::int as videos,
      coalesce(sum(v.duration_s * coalesce(v.width * v.height, 0)), 0)::float8 / 1e6 as work
    from spent s join videos v on v.id::text = s.id where v.status = 'ready'`.execute(db);
  const [row] = rows;
  return row === undefined || row.videos < 3 || row.work <= 0 ? null : row.busyS / row.work;
}
