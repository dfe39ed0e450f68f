import { sql, type RawBuilder, type Selectable } from "kysely";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { Label } from "#contract/videos/videos.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import type { VideosTable } from "#server/db/schema.ts";
import { isMembersOnly } from "../members-only.sql.ts";
import { labelTables } from "#server/features/labels/label-kinds.ts";
import type { SeriesRef } from "#server/features/labels/series.service.ts";
import type { ValueKind, CursorKey, SortKey, ShortRange } from "./list-order.ts";
import { readTallies, siteScope } from "./tallies.sql.ts";
import {
  allOf,
  hasOnlyWords,
  hasWords,
  idConditions,
  isNotExcluded,
  labelsOf,
  rowConditions,
  hasColumns,
  type LabelRef,
  type VideoFilter,
} from "./video-filter.sql.ts";

/** Counts of a video within a range. */
export interface RangeCounts {
  views: number;
  /** Weighted views, completions and likes. */
  points: number;
}

/** Maximum exact total of filtered public lists. Larger totals show this number. */
const totalMax = 10_000;

/** Counts of listed videos. They are read before the list. */
export interface ListSize {
  /** Number on the whole site. */
  site: number;
  /** Number in this list, exact up to `totalMax` if several filters narrow it. */
  total: number;
  /** Label in the filter that has the fewest videos; null if the filter has no label. */
  smallestLabel: LabelRef | null;
  /** Number of videos with that label. Without a label, the number of videos with the words. */
  gatherable: number;
}

/**
 * Plan for reading a page. `walk` reads at most `maxRows` in the order of the list, or along the
 * newest videos of `label`. It is certain if every row it reads is in the list. `gather` reads all
 * matches and sorts them.
 */
type ReadPlan =
  | { kind: "walk"; label: LabelRef | null; maxRows: number; isCertain: boolean }
  | { kind: "gather" };

/** A walk is given up after this many times the expected number of rows. */
const patience = 4;
const fewRows = 500;
/**
 * Cost of a gathered row compared with a walked one. Gathered rows are looked up one by one and
 * sorted.
 */
const gatheredCost = 2;

/** Returns whether only labels narrow the list. */
const hasOnlyLabels = (filter: VideoFilter): boolean =>
  filter.match === undefined && !hasColumns(filter);

/**
 * Picks the plan that reads fewer rows. Assumes that matches are spread evenly along a walk. If
 * labels and order are correlated, as in an archive without views, the walk is given up and
 * everything is gathered.
 */
export function planRead(
  filter: VideoFilter,
  key: { column: string },
  page: { limit: number; offset: number },
  size: ListSize,
): ReadPlan {
  const wanted = page.offset + page.limit;
  const label = key.column === "published_at" ? size.smallestLabel : null;
  // The list contains all videos, or the newest videos of its only label.
  if (hasOnlyLabels(filter) && labelsOf(filter).length === (label === null ? 0 : 1)) {
    return { kind: "walk", label, maxRows: wanted, isCertain: true };
  }
  const rows = label === null ? size.site : size.gatherable;
  const expected = (wanted * rows) / Math.max(1, size.total);
  if (expected >= size.gatherable * gatheredCost) return { kind: "gather" };
  const maxRows = Math.ceil(expected * patience) + fewRows;
  return { kind: "walk", label, maxRows, isCertain: false };
}

export interface ListPage {
  limit: number;
  offset: number;
  /** Sort value and id of the last item on the previous page. Replaces an offset. */
  after?: { value: string; id: string };
}

/** Id with its sort value as stored in a cursor. */
export interface ListedId {
  id: string;
  key: string;
}

/** Rows with id and sort key, read from an index in the order of the list. */
interface Source {
  from: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  isListed: RawBuilder<unknown>;
}

function sourceOf({ table, column }: SortKey): Source {
  const key = sql`k.${sql.ref(column)}`;
  return table === "videos"
    ? { from: sql`videos k`, id: sql`k.id`, key, isListed: sql`k.is_listed` }
    : { from: sql`video_range_scores k`, id: sql`k.video_id`, key, isListed: sql`k.is_listed` };
}

/** Selects the newest videos of a label, using the index for them. */
function sourceOfLabel(label: LabelRef): Source {
  const { join, column } = labelTables[label.kind];
  return {
    from: sql`${sql.table(join)} k`,
    id: sql`k.video_id`,
    key: sql`k.listed_at`,
    isListed: sql`k.${sql.ref(column)} = ${label.id} and k.listed_at is not null`,
  };
}

/** Returns one page of ids of visible videos, and how many the list has. */
export async function listListedIds(
  db: DbOrTrx,
  filter: VideoFilter,
  key: CursorKey,
  page: ListPage,
): Promise<{ rows: ListedId[]; total: number }> {
  const size = await readSize(db, filter);
  const { total } = size;
  if (total === 0) return { rows: [], total };
  const plan = planRead(filter, key, page, size);
  if (plan.kind === "walk") {
    const rows = await walk(db, filter, key, page, plan);
    if (plan.isCertain || rows.length >= page.limit) return { rows, total };
  }
  return { rows: await gather(db, filter, key, page, size.smallestLabel), total };
}

async function walk(
  db: DbOrTrx,
  filter: VideoFilter,
  sort: CursorKey,
  page: ListPage,
  plan: { label: LabelRef | null; maxRows: number },
): Promise<ListedId[]> {
  const { label, maxRows } = plan;
  const { from, id, key, isListed } = label === null ? sourceOf(sort) : sourceOfLabel(label);
  return readPage(
    db,
    sql`select w.id, w.key from (
      select ${id} as id, ${key} as key from ${from}
      where ${isListed} and ${isAfter(key, id, sort.kind, page.after)}
      order by ${key} desc, ${id} desc
      limit ${sql.lit(maxRows)}
    ) w where ${allOf(idConditions(sql`w.id`, filter, label ?? undefined))}
    order by w.key desc, w.id desc limit ${page.limit} offset ${page.offset}`,
    sort,
  );
}

async function gather(
  db: DbOrTrx,
  filter: VideoFilter,
  sort: CursorKey,
  page: ListPage,
  label: LabelRef | null,
): Promise<ListedId[]> {
  const { from, id, key, isListed } = sourceOf(sort);
  return readPage(
    db,
    sql`with matching as materialized (${matchingListedIds(filter, label)})
      select ${id} as id, ${key} as key
      from matching m join ${from} on ${id} = m.id
      where ${isListed} and ${isAfter(key, id, sort.kind, page.after)}
      order by ${key} desc, ${id} desc limit ${page.limit} offset ${page.offset}`,
    sort,
  );
}

/**
 * Converts keys to text only for the page itself. Converting those of all skipped rows would cost
 * six times as much.
 */
async function readPage(
  db: DbOrTrx,
  page: RawBuilder<unknown>,
  { kind, isDescending }: SortKey,
): Promise<ListedId[]> {
  const direction = isDescending ? sql`desc` : sql`asc`;
  const key =
    kind === "time"
      ? sql`to_char(p.key at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : sql`p.key::text`;
  const { rows } = await sql<ListedId>`
    select p.id, ${key} as key from (${page}) p
    order by p.key ${direction}, p.id ${direction}`.execute(db);
  return rows;
}

/** Condition "after this item" for a list sorted by `key` and `id`, both descending. */
function isAfter(
  key: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  kind: ValueKind | null,
  after: ListPage["after"],
): RawBuilder<unknown> {
  if (after === undefined || kind === null) return sql`true`;
  const type = { time: sql`timestamptz`, count: sql`bigint`, score: sql`float8` }[kind];
  return sql`(${key}, ${id}) < (${after.value}::${type}, ${after.id}::uuid)`;
}

/** Returns the size of a public list. Reads it from the tallies if possible. Otherwise counts. */
async function readSize(db: DbOrTrx, filter: VideoFilter): Promise<ListSize> {
  const labels = labelsOf(filter);
  const tallies = await readTallies(db, [siteScope, ...labels.map(({ id }) => id)]);
  const listed = (id: string) => tallies.get(id)?.listed ?? 0;
  const site = listed(siteScope);
  const [smallestLabel = null] = labels.toSorted((a, b) => listed(a.id) - listed(b.id));
  const labelled = smallestLabel === null ? site : listed(smallestLabel.id);
  if ((labels.length <= 1 && hasOnlyLabels(filter)) || labelled === 0) {
    return { site, total: labelled, smallestLabel, gatherable: labelled };
  }
  const total = await countListed(db, filter, smallestLabel);
  return { site, total, smallestLabel, gatherable: smallestLabel === null ? total : labelled };
}

/** Counts listed videos with these labels and words, exact up to `totalMax`. */
async function countListed(
  db: DbOrTrx,
  filter: VideoFilter,
  label: LabelRef | null,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from (${matchingListedIds(filter, label)}) m limit ${totalMax}
    ) counted`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Selects the ids of all listed videos with these labels and words. Starts from the smallest label.
 */
function matchingListedIds(filter: VideoFilter, label: LabelRef | null): RawBuilder<unknown> {
  if (label !== null) {
    const { from, id, isListed } = sourceOfLabel(label);
    return sql`select ${id} as id from ${from}
      where ${isListed} and ${allOf(idConditions(id, filter, label))}`;
  }
  const { match } = filter;
  const narrowed = { ...filter, match: undefined };
  if (match?.kind === "words") {
    return sql`select s.video_id as id from video_search s
      where ${hasWords(sql`s`, match.query)} and s.is_listed and ${isNotExcluded(sql`s`, match)}
        and ${allOf(idConditions(sql`s.video_id`, narrowed))}`;
  }
  if (match?.kind === "titles") {
    return sql`select g.id from unnest(${match.ids}::uuid[]) as g (id)
      where ${allOf(idConditions(sql`g.id`, narrowed))}`;
  }
  return sql`select v.id from videos v where v.is_listed and ${allOf(rowConditions(narrowed))}`;
}

const computedColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  lower_title: sql`lower(v.title)`,
  size: sql`(v.stored_bytes + coalesce(v.source_bytes, 0))`,
};

/**
 * Returns one page of ids of all videos, for the back office. It can be sorted by any column and
 * filtered by any state. The indexes of listed videos don't cover that, so this is one plain query
 * over the covering index `videos_created_idx`. It always gathers.
 */
export async function listAllIds(
  db: DbOrTrx,
  filter: VideoFilter,
  sort: SortKey,
  page: ListPage,
): Promise<ListedId[]> {
  const alias = sort.table === "videos" ? sql`v` : sql`s`;
  const key = computedColumns[sort.column] ?? sql`${alias}.${sql.ref(sort.column)}`;
  const direction = sort.isDescending ? sql`desc` : sql`asc`;
  return readPage(
    db,
    sql`select v.id, ${key} as key from videos v
      ${sort.table === "videos" ? sql`` : sql`join video_range_scores s on s.video_id = v.id`}
      where ${allOf(rowConditions(filter))} and ${isAfter(key, sql`v.id`, sort.kind, page.after)}
      order by ${key} ${direction}, v.id ${direction} limit ${page.limit} offset ${page.offset}`,
    sort,
  );
}

/** Counts all matching videos. The number is exact because admins rely on it. */
export async function countAll(db: DbOrTrx, filter: VideoFilter): Promise<number> {
  const { match } = filter;
  const { rows } = await sql<{ n: number }>`${
    match?.kind === "words" && hasOnlyWords(filter)
      ? sql`select count(*) as n from video_search s
          where ${hasWords(sql`s`, match.query)} and ${isNotExcluded(sql`s`, match)}`
      : sql`select count(*) as n from videos v where ${allOf(rowConditions(filter))}`
  }`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Returns these videos' views and engagement within a range. */
export async function listRangeCounts(
  db: DbOrTrx,
  ids: readonly string[],
  range: ShortRange,
): Promise<Map<string, RangeCounts>> {
  const { rows } = await sql<RangeCounts & { id: string }>`${prepared}
    select video_id as id, ${sql.ref(`views_${range}`)} as views,
      ${sql.ref(`engagement_${range}`)} as points
    from video_range_scores where video_id = any(${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Columns of `HydratedVideo.row`. A prepared statement must name its columns; see `prepared`. */
const shownColumns = [
  "blocked_countries",
  "captions",
  "chapters",
  "clip_end_s",
  "clip_of",
  "clip_start_s",
  "created_at",
  "description",
  "duration_s",
  "embedding",
  "failure_reason",
  "file_format",
  "file_gain_db",
  "height",
  "held_visibility",
  "hls_key",
  "id",
  "is_age_limited",
  "is_listed",
  "is_premium",
  "is_published",
  "is_reachable",
  "is_sensitive",
  "ladder_gain_db",
  "likes",
  "loudness",
  "media_notices",
  "media_token",
  "midroll_times",
  "poster_key",
  "preview_key",
  "progress",
  "progressive_key",
  "progressive_small_key",
  "publish_at",
  "published_at",
  "shown_visibility",
  "slug",
  "sounds",
  "source_bytes",
  "source_key",
  "status",
  "stored_bytes",
  "storyboard_key",
  "thumbnail_key",
  "title",
  "translations",
  "version",
  "views",
  "visibility",
  "width",
] as const satisfies readonly (keyof VideosTable)[];

/** Row with its labels, which is all that the presenter may read. */
export interface HydratedVideo {
  row: Pick<Selectable<VideosTable>, (typeof shownColumns)[number]>;
  /** See `may-play.ts`. */
  isMembersOnly: boolean;
  labels: Record<LabelKind, Label[]>;
  /** Series in which visitors see the video. */
  series: SeriesRef[];
  /** Long video of a clip; null for other videos. */
  origin: LongVideo | null;
  /** Number of its clips, and of those that visitors see in lists. */
  clips: { count: number; listed: number };
}

interface LongVideo {
  id: string;
  slug: string;
  title: string;
  isTrashed: boolean;
}

type LabelRow = [kind: LabelKind, id: string, name: string, slug: string, isSeries: boolean];
type HydratedRow = HydratedVideo["row"] & {
  labels: LabelRow[] | null;
  isMembersOnly: boolean;
  clipCount: number;
  listedClips: number;
};

const shownList = sql.raw(shownColumns.map((column) => `v.${column}`).join(", "));

/**
 * Returns the videos with these ids and their labels, in the order of the ids. Leaves out unknown
 * ids. Uses one statement, so that rows and labels are consistent.
 */
export async function hydrateVideos(db: DbOrTrx, ids: readonly string[]): Promise<HydratedVideo[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<HydratedRow>`${prepared}
    select ${shownList}, ${isMembersOnly} as "isMembersOnly",
      clips.count as "clipCount", clips.listed as "listedClips", (
      select json_agg(json_build_array(kind, id, name, slug, series) order by position, name)
      from (
        select 'categories' as kind, j.position, t.id, t.name, t.slug,
            t.is_series and j.listed_at is not null as series
          from video_categories j join categories t on t.id = j.category_id where j.video_id = v.id
        union all
        select 'tags', j.position, t.id, t.name, t.slug, t.is_series and j.listed_at is not null
          from video_tags j join tags t on t.id = j.tag_id where j.video_id = v.id
        union all
        select 'actors', j.position, t.id, t.name, t.slug, t.is_series and j.listed_at is not null
          from video_actors j join actors t on t.id = j.actor_id where j.video_id = v.id
      ) l
    ) as labels
    from unnest(${[...ids]}::uuid[]) with ordinality as given (id, at) join videos v using (id)
      cross join lateral (
        select count(*)::int as count, (count(*) filter (where c.is_listed))::int as listed
        from videos c where c.clip_of = v.id
      ) clips
    order by given.at`.execute(db);
  const longIds = [...new Set(rows.flatMap(({ clip_of: id }) => (id === null ? [] : [id])))];
  const longVideos = longIds.length === 0 ? [] : await listLongVideos(db, longIds);
  return rows.map(({ labels, isMembersOnly: isLimited, clipCount, listedClips, ...row }) => ({
    row,
    clips: { count: clipCount, listed: listedClips },
    origin: longVideos.find(({ id }) => id === row.clip_of) ?? null,
    isMembersOnly: isLimited,
    labels: byKind(labels ?? []),
    series: (labels ?? []).flatMap(([kind, id, name, slug, isSeries]) =>
      isSeries ? [{ kind, id, name, slug }] : [],
    ),
  }));
}

async function listLongVideos(db: DbOrTrx, ids: readonly string[]): Promise<LongVideo[]> {
  const { rows } = await sql<LongVideo>`
    select id, slug, title, false as "isTrashed" from videos where id = any(${[...ids]}::uuid[])
    union all
    select id, kept_rows -> 'videos' -> 0 ->> 'slug', title, true from removed_videos
    where id = any(${[...ids]}::uuid[])`.execute(db);
  return rows;
}

function byKind(rows: readonly LabelRow[]): Record<LabelKind, Label[]> {
  const labels: Record<LabelKind, Label[]> = { categories: [], tags: [], actors: [] };
  for (const [kind, id, name, slug] of rows) labels[kind].push({ id, name, slug });
  return labels;
}
