import { sql, type RawBuilder } from "kysely";
import type { DbOrTrx } from "../../db/connection.ts";
import { taxonomyTables } from "../catalog/taxonomy-tables.ts";
import type { ValueKind } from "./cursor.ts";
import { allOf, conditions, labelsOf, type LabelRef, type ListFilter } from "./list-filter.ts";
import { isAfter, keyText, sortKey, type ListOrder } from "./list-order.ts";
import { cheapestWay, type ListSize } from "./list-size.ts";

export interface ListPage {
  limit: number;
  offset: number;
  /** Instead of an offset: the sort value and the id of the last item before. */
  after?: { value: string; id: string };
}

/** An id with its sort value as a cursor writes it. */
export interface ListedId {
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

function sourceOf(order: ListOrder): Source {
  const { table, column } = sortKey(order, true);
  return table === "videos"
    ? {
        from: sql`videos k`,
        id: sql`k.id`,
        key: sql`k.${sql.ref(column)}`,
        isListed: sql`k.is_listed`,
      }
    : {
        from: sql`video_range_scores k`,
        id: sql`k.video_id`,
        key: sql`k.${sql.ref(column)}`,
        isListed: sql`k.is_listed`,
      };
}

/** The newest of a label, from the index that holds just these. */
function sourceOfLabel(label: LabelRef): Source {
  const { join, column } = taxonomyTables[label.kind];
  return {
    from: sql`${sql.table(join)} k`,
    id: sql`k.video_id`,
    key: sql`k.listed_at`,
    isListed: sql`k.${sql.ref(column)} = ${label.id} and k.listed_at is not null`,
  };
}

/**
 * Ids of one page of what visitors see. Two ways lead to the same answer: to walk along the order of
 * the list and pick what has the labels and words, or to gather everything that has them and sort it.
 * The one that has fewer rows to look at is taken; a walk that finds too little gives up early.
 */
export async function listListedIds(
  db: DbOrTrx,
  filter: ListFilter,
  order: ListOrder,
  page: ListPage,
  size: ListSize,
): Promise<ListedId[]> {
  const way = cheapestWay(order, page, size);
  if (way.kind === "none") return [];
  if (way.kind === "walk") {
    const rows = await walk(db, filter, order, page, way.label, way.mostRows);
    if (way.mostRows === null || rows.length >= page.limit) return rows;
  }
  return gather(db, filter, order, page, size.smallestLabel);
}

async function walk(
  db: DbOrTrx,
  filter: ListFilter,
  order: ListOrder,
  page: ListPage,
  label: LabelRef | null,
  mostRows: number | null,
): Promise<ListedId[]> {
  const source = label === null ? sourceOf(order) : sourceOfLabel(label);
  const { kind } = sortKey(order, true);
  const { from, id, key, isListed } = source;
  return readPage(
    db,
    sql`select w.id, w.key from (
      select ${id} as id, ${key} as key from ${from}
      where ${isListed} and ${isAfter(key, id, kind, page.after)}
      order by ${key} desc, ${id} desc
      ${mostRows === null ? sql`` : sql`limit ${mostRows}`}
    ) w where ${allOf(conditions(sql`w.id`, filter, label ?? undefined))}
    order by w.key desc, w.id desc limit ${page.limit} offset ${page.offset}`,
    kind,
  );
}

async function gather(
  db: DbOrTrx,
  filter: ListFilter,
  order: ListOrder,
  page: ListPage,
  label: LabelRef | null,
): Promise<ListedId[]> {
  const { from, id, key, isListed } = sourceOf(order);
  const { kind } = sortKey(order, true);
  return readPage(
    db,
    sql`with matching as materialized (${matchingIds(filter, label)})
      select ${id} as id, ${key} as key
      from matching m join ${from} on ${id} = m.id
      where ${isListed} and ${isAfter(key, id, kind, page.after)}
      order by ${key} desc, ${id} desc limit ${page.limit} offset ${page.offset}`,
    kind,
  );
}

/** Keys are written out only for the page itself: what an offset skips would cost six times as much. */
async function readPage(
  db: DbOrTrx,
  page: RawBuilder<unknown>,
  kind: ValueKind,
): Promise<ListedId[]> {
  const { rows } = await sql<ListedId>`
    select p.id, ${keyText(sql`p.key`, kind)} as key from (${page}) p
    order by p.key desc, p.id desc`.execute(db);
  return rows;
}

/** Ids of everything that visitors see with these labels and words, starting at the smallest label. */
function matchingIds(filter: ListFilter, label: LabelRef | null): RawBuilder<unknown> {
  if (label !== null) {
    const { from, id, isListed } = sourceOfLabel(label);
    return sql`select ${id} as id from ${from}
      where ${isListed} and ${allOf(conditions(id, filter, label))}`;
  }
  const { match } = filter;
  if (match?.kind === "words") {
    return sql`select s.video_id as id from video_search s
      where s.words @@ ${match.query}::tsquery and s.is_listed`;
  }
  if (match?.kind === "titles") return sql`select unnest(${match.ids}::uuid[]) as id`;
  return sql`select id from videos where is_listed`;
}

/** How many visitors see with these labels and words, exact up to `most`. */
export async function countListed(
  db: DbOrTrx,
  filter: ListFilter,
  label: LabelRef | null,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from (${matchingIds(filter, label)}) m limit ${most + 1}
    ) counted`.execute(db);
  return Math.min(rows[0]?.n ?? 0, most);
}

const adminWhere = (filter: ListFilter) =>
  allOf([
    ...(filter.visibility === "unpublished" ? [sql`not v.is_published`] : []),
    ...conditions(sql`v.id`, filter),
  ]);

/** For admins: drafts and unfinished videos too. */
export async function listAllIds(
  db: DbOrTrx,
  filter: ListFilter,
  order: ListOrder,
  page: ListPage,
): Promise<ListedId[]> {
  const { table, column, kind } = sortKey(order, false);
  const key = table === "videos" ? sql`v.${sql.ref(column)}` : sql`s.${sql.ref(column)}`;
  return readPage(
    db,
    sql`select v.id, ${key} as key from videos v
      ${table === "videos" ? sql`` : sql`join video_range_scores s on s.video_id = v.id`}
      where ${adminWhere(filter)} and ${isAfter(key, sql`v.id`, kind, page.after)}
      order by ${key} desc, v.id desc limit ${page.limit} offset ${page.offset}`,
    kind,
  );
}

/** Exact: an admin counts on it. */
export async function countAll(db: DbOrTrx, filter: ListFilter): Promise<number> {
  const { match } = filter;
  const isOnlyWords =
    match?.kind === "words" && filter.visibility === "all" && labelsOf(filter).length === 0;
  const { rows } = await sql<{ n: number }>`${
    isOnlyWords
      ? sql`select count(*) as n from video_search s where s.words @@ ${match.query}::tsquery`
      : sql`select count(*) as n from videos v where ${adminWhere(filter)}`
  }`.execute(db);
  return rows[0]?.n ?? 0;
}
