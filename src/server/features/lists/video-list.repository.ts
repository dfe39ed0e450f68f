import { sql, type RawBuilder } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { labelTables } from "#server/db/label-tables.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import { siteScope, sumOfListed } from "#server/db/tallies.ts";
import { countColumns, type VideoCounts } from "#server/db/video-counts.ts";
import {
  allOf,
  hasOnlyWords,
  idConditions,
  isNotExcluded,
  rowConditions,
  type LabelRef,
  type VideoFilter,
} from "#server/db/video-filter.ts";
import type { ValueKind } from "./cursor.ts";
import type { CursorKey, SortKey } from "./list-order.ts";
import type { RangeCounts } from "./list-reasons.ts";
import { cheapestWay, type ListSize } from "./list-size.ts";
import type { ShortRange } from "./time-ranges.ts";

export interface ListPage {
  limit: number;
  offset: number;
  /** Instead of an offset: the sort value and the id of the last item before. */
  after?: { value: string; id: string };
}

/** An id with its sort value as a cursor holds it, and with its counts. */
export interface ListedId extends VideoCounts {
  id: string;
  key: string;
}

/** Where a list is read from: rows with an id and the key, in an index in the order of the list. */
interface Source {
  from: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  isListed: RawBuilder<unknown>;
}

function sourceOf({ table, column }: SortKey): Source {
  const isOfVideos = table === "videos";
  return {
    from: isOfVideos ? sql`videos k` : sql`video_range_scores k`,
    id: isOfVideos ? sql`k.id` : sql`k.video_id`,
    key: sql`k.${sql.ref(column)}`,
    isListed: sql`k.is_listed`,
  };
}

/** The newest of a label, from the index that holds just these. */
function sourceOfLabel(label: LabelRef): Source {
  const { join, column } = labelTables[label.kind];
  return {
    from: sql`${sql.table(join)} k`,
    id: sql`k.video_id`,
    key: sql`k.listed_at`,
    isListed: sql`k.${sql.ref(column)} = ${label.id} and k.listed_at is not null`,
  };
}

/**
 * Ids of one page of a list that can be walked to its end, and how long the list is: the whole site
 * in any order, or the newest of one label. In one statement, whose plan is always the same.
 */
export async function walkListedIds(
  db: DbOrTrx,
  label: LabelRef | null,
  sort: CursorKey,
  page: ListPage,
): Promise<{ rows: ListedId[]; total: number }> {
  const { from, id, key, isListed } = label === null ? sourceOf(sort) : sourceOfLabel(label);
  // A literal limit: with a parameter the plan would have to suit the whole list too.
  const { rows } = await sql<ListedId & { total: number }>`${prepared}
    select t.total, p.id, ${keyText(sql`p.key`, sort.kind)} as key, ${countColumns}
    from (select ${sumOfListed(label?.id ?? siteScope)} as total) t
    left join (
      select ${id} as id, ${key} as key from ${from}
      where ${isListed} and ${isAfter(key, id, sort.kind, page.after)}
      order by ${key} desc, ${id} desc
      limit ${sql.lit(page.limit)} ${page.offset === 0 ? sql`` : sql`offset ${page.offset}`}
    ) p on true
    left join videos v on v.id = p.id
    order by p.key desc, p.id desc`.execute(db);
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/**
 * Ids of one page of what visitors see. There are two ways to the same result: walk along the order
 * of the list and pick the videos with the labels and words, or gather all that have them and sort
 * these. The way with fewer rows to read is taken; a walk that finds too little is given up.
 */
export async function listListedIds(
  db: DbOrTrx,
  filter: VideoFilter,
  key: CursorKey,
  page: ListPage,
  size: ListSize,
): Promise<ListedId[]> {
  const way = cheapestWay(key, page, size);
  if (way.kind === "none") return [];
  if (way.kind === "walk") {
    const rows = await walk(db, filter, key, page, way.label, way.maxRows);
    if (rows.length >= page.limit) return rows;
  }
  return gather(db, filter, key, page, size.smallestLabel);
}

async function walk(
  db: DbOrTrx,
  filter: VideoFilter,
  sort: CursorKey,
  page: ListPage,
  label: LabelRef | null,
  maxRows: number,
): Promise<ListedId[]> {
  const { from, id, key, isListed } = label === null ? sourceOf(sort) : sourceOfLabel(label);
  return readPage(
    db,
    sql`select w.id, w.key from (
      select ${id} as id, ${key} as key from ${from}
      where ${isListed} and ${isAfter(key, id, sort.kind, page.after)}
      order by ${key} desc, ${id} desc
      limit ${maxRows}
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

/** Keys become text only for the page itself: for the rows of an offset it would cost six times as much. */
async function readPage(
  db: DbOrTrx,
  page: RawBuilder<unknown>,
  { kind, isDescending }: SortKey,
): Promise<ListedId[]> {
  const direction = isDescending ? sql`desc` : sql`asc`;
  const { rows } = await sql<ListedId>`
    select p.id, ${keyText(sql`p.key`, kind)} as key, ${countColumns}
    from (${page}) p join videos v on v.id = p.id
    order by p.key ${direction}, p.id ${direction}`.execute(db);
  return rows;
}

/** A key as a cursor holds it; no digit of it is lost. */
export function keyText(key: RawBuilder<unknown>, kind: ValueKind | null): RawBuilder<string> {
  return kind === "time"
    ? sql<string>`to_char(${key} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql<string>`(${key})::text`;
}

/** "After this item", for a list that is sorted by `key` and `id`, both descending. */
export function isAfter(
  key: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  kind: ValueKind | null,
  after: ListPage["after"],
): RawBuilder<unknown> {
  if (after === undefined || kind === null) return sql`true`;
  const type = { time: sql`timestamptz`, count: sql`bigint`, score: sql`float8` }[kind];
  return sql`(${key}, ${id}) < (${after.value}::${type}, ${after.id}::uuid)`;
}

/** Ids of all listed videos with these labels and words, read from the smallest label. */
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
      where s.words @@ ${match.query}::tsquery and s.is_listed and ${isNotExcluded(sql`s`, match)}
        and ${allOf(idConditions(sql`s.video_id`, narrowed))}`;
  }
  if (match?.kind === "titles") {
    return sql`select g.id from unnest(${match.ids}::uuid[]) as g (id)
      where ${allOf(idConditions(sql`g.id`, narrowed))}`;
  }
  return sql`select v.id from videos v where v.is_listed and ${allOf(rowConditions(narrowed))}`;
}

/** How many listed videos have these labels and words, exact up to `max`. */
export async function countListed(
  db: DbOrTrx,
  filter: VideoFilter,
  label: LabelRef | null,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from (${matchingListedIds(filter, label)}) m limit ${max + 1}
    ) counted`.execute(db);
  return Math.min(rows[0]?.n ?? 0, max);
}

const computedColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  lower_title: sql`lower(v.title)`,
  size: sql`(v.stored_bytes + coalesce(v.source_bytes, 0))`,
};

/**
 * Ids of one page of all videos, for the back office. Any column may sort and any state may filter,
 * which the indexes of listed videos do not cover, so this is one plain query over the covering index
 * `videos_created_idx` rather than a walk.
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

/** How many of all videos match. Exact: an admin relies on it. */
export async function countAll(db: DbOrTrx, filter: VideoFilter): Promise<number> {
  const { match } = filter;
  const { rows } = await sql<{ n: number }>`${
    match?.kind === "words" && hasOnlyWords(filter)
      ? sql`select count(*) as n from video_search s
          where s.words @@ ${match.query}::tsquery and ${isNotExcluded(sql`s`, match)}`
      : sql`select count(*) as n from videos v where ${allOf(rowConditions(filter))}`
  }`.execute(db);
  return rows[0]?.n ?? 0;
}

/** What was counted of these videos inside a range. */
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
