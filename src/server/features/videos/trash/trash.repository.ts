import { sql, type RawBuilder } from "kysely";
import type { ClipFate } from "#contract/videos/clips.ts";
import type { TrashList } from "#contract/videos/trash.ts";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { sourcePrefix } from "#server/storage/media-keys.ts";

/** Tables whose rows are stored with a removed video. Watch histories aren't stored. */
const keptTables = [
  "video_categories",
  "video_tags",
  "video_actors",
  "likes",
  "favorites",
  "comments",
  "video_stats_hourly",
  "video_stats_daily",
  "video_bins",
  "video_sources",
] as const;

export interface RemovedVideoRow {
  id: string;
  title: string;
  mediaToken: string;
  sourceKey: string;
  sizeBytes: number;
  removedBy: string;
  removedAt: Date;
}

const columns = sql`id, title, media_token as "mediaToken", coalesce(source_key, ${sourcePrefix} || id) as "sourceKey", size_bytes as "sizeBytes",
  removed_by as "removedBy", removed_at as "removedAt"`;

/**
 * Copies videos into the trash before they are deleted, without the address keys of comments.
 * @returns the ids of those stored there. There are none if the settings disable the trash.
 */
export async function keepInTrash(
  trx: Trx,
  ids: string[],
  { removedBy, clips = null }: { removedBy: string; clips?: ClipFate | null | undefined },
): Promise<string[]> {
  const parts = keptTables.map(
    (table) => sql`${table}::text,
      (select coalesce(jsonb_agg(to_jsonb(t) - 'address_key'), '[]') from ${sql.table(table)} t where t.video_id = v.id)`,
  );
  const { rows } = await sql<{ id: string }>`
    insert into removed_videos
      (id, title, media_token, source_key, size_bytes, removed_by, clips, kept_rows)
    select v.id, v.title, v.media_token, v.source_key,
      v.stored_bytes + coalesce(v.source_bytes, 0), ${removedBy}, ${clips},
      jsonb_build_object('videos', jsonb_build_array(to_jsonb(v)), ${sql.join(parts)})
    from videos v
    where v.id = any(${ids}::uuid[]) and (select trash_days > 0 from settings where id = 1)
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Returns the keys of the sources of the videos' new and former files, by the videos' ids. */
export async function listOtherSources(trx: Trx, ids: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; keys: string[] }>`
    select video_id as id, array_agg(source_key) as keys from video_replacements
    where video_id = any(${ids}::uuid[]) and source_key is not null
    group by video_id`.execute(trx);
  return new Map(rows.map(({ id, keys }) => [id, keys]));
}

const thumbnailKey = sql`kept_rows -> 'videos' -> 0 ->> 'thumbnail_key'`;

interface TrashRow extends RemovedVideoRow {
  durationS: number;
  hasThumbnail: boolean;
  clips: number;
}

/** Facts about the whole trash. */
type TrashSums = Pick<TrashList, "total" | "sizeBytes" | "hasClips" | "keptDays">;

/** Returns a page of the trash, most recently removed first. */
export async function listTrash(
  db: DbOrTrx,
  page: { limit: number; offset: number },
): Promise<{ videos: TrashRow[] } & TrashSums> {
  const [videos, sums] = await Promise.all([
    sql<TrashRow>`
      select ${columns},
        coalesce((kept_rows -> 'videos' -> 0 ->> 'duration_s')::float8, 0) as "durationS",
        ${thumbnailKey} is not null as "hasThumbnail", (
          select count(*)::int from videos c where c.clip_of = removed_videos.id
        ) as clips
      from removed_videos
      order by removed_at desc, id limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<TrashSums>`
      select count(*)::int as total, coalesce(sum(size_bytes), 0)::float8 as "sizeBytes",
        exists (
          select from videos c join removed_videos r on r.id = c.clip_of
        ) as "hasClips",
        (select trash_days from settings where id = 1) as "keptDays"
      from removed_videos`.execute(db),
  ]);
  const none = { total: 0, sizeBytes: 0, hasClips: false, keptDays: 0 };
  return { videos: videos.rows, ...(sums.rows[0] ?? none) };
}

/** Returns the storage key of a removed video's thumbnail; null if it has none. */
export async function findThumbnailKey(db: DbOrTrx, id: string): Promise<string | null> {
  const { rows } = await sql<{ key: string | null }>`
    select ${thumbnailKey} as key from removed_videos where id = ${id}::uuid`.execute(db);
  return rows[0]?.key ?? null;
}

interface RemovedVideo {
  title: string;
  slug: string;
  needsPublishRight: boolean;
  isBlocked: boolean;
}

/**
 * Locks a removed video and returns it with its former slug, whether it was published or scheduled,
 * and whether its file is blocked. The long video of a clip is locked first, as everywhere, because
 * its deletion or cut changes the clip.
 */
export async function lockRemoved(trx: Trx, id: string): Promise<RemovedVideo | null> {
  const longId = sql`(select (kept_rows -> 'videos' -> 0 ->> 'clip_of')::uuid
    from removed_videos where id = ${id}::uuid)`;
  await sql`select from removed_videos where id = ${longId} for share`.execute(trx);
  await sql`select from videos where id = ${longId} for share`.execute(trx);
  const { rows } = await sql<RemovedVideo>`
    select title, kept_rows -> 'videos' -> 0 ->> 'slug' as slug,
      (kept_rows -> 'videos' -> 0 ->> 'is_published')::boolean
        or kept_rows -> 'videos' -> 0 ->> 'publish_at' is not null as "needsPublishRight",
      exists (select from blocked_files b
        where b.sha256 = (kept_rows -> 'videos' -> 0 ->> 'source_sha256')::bytea) as "isBlocked"
    from removed_videos where id = ${id}::uuid for update`.execute(trx);
  return rows[0] ?? null;
}

/** Returns the writable columns of a table. */
async function listColumns(db: DbOrTrx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table}
      and is_generated = 'NEVER'`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Restores the rows of a removed video. Columns added since its removal get their default.
 * References to deleted users or labels are dropped.
 */
export async function putBack(trx: Trx, id: string, slug: string): Promise<void> {
  const changes = sql`jsonb_build_object('slug', ${slug}::text,
    'uploaded_by', (select u.id from users u where u.id::text = kept ->> 'uploaded_by'),
    'publish_planned_by',
      (select u.id from users u where u.id::text = kept ->> 'publish_planned_by'))`;
  await insertKept(trx, id, { table: "videos", changes, condition: sql`true` });
  await detachRestored(trx, id);
  for (const table of keptTables) {
    const label = labelOf[table];
    await insertKept(trx, id, {
      table,
      changes: sql`'{}'::jsonb`,
      condition:
        label === undefined
          ? sql`true`
          : sql`exists (select from ${sql.table(label.table)} l
              where l.id::text = kept ->> ${label.column})`,
    });
  }
  await sql`delete from removed_videos where id = ${id}::uuid`.execute(trx);
}

/**
 * Returns the columns of a clip `v` that becomes a video of its own. What its long video restricted
 * becomes its own restriction.
 */
const ownRules = (longVisibility: RawBuilder<unknown>) => sql`
  clip_of = null,
  visibility = case
    when 'private' in (v.visibility, ${longVisibility}) then 'private'
    when 'unlisted' in (v.visibility, ${longVisibility}) then 'unlisted'
    else 'public' end,
  is_sensitive = v.is_age_limited,
  blocked_countries = array(select distinct unnest(v.closed_countries) order by 1),
  held_visibility = 'public', held_sensitive = false, held_countries = '{}'`;

/**
 * Detaches a restored clip whose long video was deleted for good while the clip was in the trash.
 * The trigger has already made it a draft.
 */
async function detachRestored(trx: Trx, id: string): Promise<void> {
  await sql`
    update videos v set ${ownRules(sql`kept.visibility`)},
      publish_at = null, publish_planned_by = null
    from (
      -- Entries of older versions may lack what the long video restricted.
      select replace(kept_rows -> 'videos' -> 0 ->> 'held_visibility', 'hidden', 'private') as visibility,
        kept_rows -> 'videos' -> 0 ->> 'clip_of' as clip_of
      from removed_videos where id = ${id}::uuid
    ) kept
    where v.id = ${id}::uuid and v.clip_of is null and kept.clip_of is not null`.execute(trx);
}

const labelOf: Partial<Record<(typeof keptTables)[number], { table: string; column: string }>> = {
  video_categories: { table: "categories", column: "category_id" },
  video_tags: { table: "tags", column: "tag_id" },
  video_actors: { table: "actors", column: "actor_id" },
};

async function insertKept(
  trx: Trx,
  id: string,
  options: {
    table: string;
    changes: ReturnType<typeof sql>;
    condition: ReturnType<typeof sql>;
  },
): Promise<void> {
  const { table, changes, condition } = options;
  const { rows: kept } = await sql<{ name: string }>`
    select jsonb_object_keys(kept_rows -> ${table}::text -> 0) as name from removed_videos
    where id = ${id}::uuid`.execute(trx);
  const names = new Set(kept.map(({ name }) => name));
  const shared = (await listColumns(trx, table)).filter((name) => names.has(name));
  if (shared.length === 0) return;
  const list = sql.join(shared.map((name) => sql.id(name)));
  const values = sql.join(shared.map((name) => sql`(r.given).${sql.id(name)}`));
  await sql`
    insert into ${sql.table(table)} (${list})
    select ${values} from removed_videos v,
      jsonb_array_elements(v.kept_rows -> ${table}::text) kept,
      lateral (select jsonb_populate_record(null::${sql.table(table)}, kept || ${changes}) as given) r
    where v.id = ${id}::uuid and ${condition}
    on conflict do nothing`.execute(trx);
}

/** Deletes entries of the trash for good. */
export async function deleteRemoved(trx: Trx, ids: string[]): Promise<RemovedVideoRow[]> {
  const { rows } = await sql<RemovedVideoRow>`
    delete from removed_videos where id = any(${ids}::uuid[]) returning ${columns}`.execute(trx);
  return rows;
}

/** Locks entries older than the retention in the settings, oldest first, and returns their ids. */
export async function lockOld(trx: Trx, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from removed_videos where removed_at <
      ${at}::timestamptz - (select trash_days from settings where id = 1) * interval '1 day'
    order by removed_at limit ${limit} for update skip locked`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Locks the oldest entries and returns their ids. */
export async function lockOldest(trx: Trx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from removed_videos order by removed_at limit ${limit} for update`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Locks entries, and returns what was chosen for their clips when they were removed. */
export async function lockClipChoices(
  trx: Trx,
  ids: string[],
): Promise<{ id: string; clips: ClipFate | null }[]> {
  const { rows } = await sql<{ id: string; clips: ClipFate | null }>`
    select id, clips from removed_videos where id = any(${ids}::uuid[]) order by id for update`.execute(
    trx,
  );
  return rows;
}

/** Returns other videos that are clips of these, and those in the trash. */
export async function listClips(
  trx: Trx,
  longIds: string[],
): Promise<{ live: string[]; trashed: string[] }> {
  const { rows } = await sql<{ id: string; isTrashed: boolean }>`
    select id, false as "isTrashed" from videos
    where clip_of = any(${longIds}::uuid[]) and id <> all(${longIds}::uuid[])
    union all
    select id, true from removed_videos
    where (kept_rows -> 'videos' -> 0 ->> 'clip_of')::uuid = any(${longIds}::uuid[])
      and id <> all(${longIds}::uuid[])`.execute(trx);
  const idsOf = (isTrashed: boolean) =>
    rows.filter((row) => row.isTrashed === isTrashed).map(({ id }) => id);
  return { live: idsOf(false), trashed: idsOf(true) };
}

/**
 * Makes clips videos of their own. What their long videos restricted becomes their own restriction.
 * The entries of clips in the trash store it until the clips are restored.
 */
export async function detachClips(
  trx: Trx,
  longIds: string[],
  { staysPublished }: { staysPublished: boolean },
): Promise<void> {
  const longVideos = sql`
    select id, to_jsonb(v) as kept from videos v where id = any(${longIds}::uuid[])
    union all
    select id, kept_rows -> 'videos' -> 0 from removed_videos where id = any(${longIds}::uuid[])`;
  await sql`
    with clips as materialized (
      select c.id, long.kept ->> 'visibility' as visibility,
        (long.kept ->> 'is_published')::boolean as is_published
      from videos c join (${longVideos}) long on long.id = c.clip_of
      order by c.id for no key update of c
    )
    update videos v set ${ownRules(sql`clips.visibility`)},
      is_published = v.is_published and clips.is_published and ${staysPublished},
      publish_at = case when clips.is_published and ${staysPublished} then v.publish_at end,
      publish_planned_by =
        case when clips.is_published and ${staysPublished} then v.publish_planned_by end,
      version = v.version + 1
    from clips where v.id = clips.id`.execute(trx);
  // Runs second, so that it sees clips that were removed while the first statement waited for them.
  await sql`
    update removed_videos c set kept_rows = jsonb_set(c.kept_rows, '{videos,0}',
      c.kept_rows -> 'videos' -> 0 || jsonb_build_object(
        'held_visibility', long.kept -> 'visibility',
        'held_sensitive', long.kept -> 'is_sensitive',
        'held_countries', long.kept -> 'blocked_countries'))
    from (${longVideos}) long
    where (c.kept_rows -> 'videos' -> 0 ->> 'clip_of')::uuid = long.id`.execute(trx);
}
