import type { RawBuilder } from "kysely";
import type { AdminVideoFilter, AdminVideoQuery } from "#contract/videos/admin-videos.ts";
import { limits, type Sort } from "#contract/limits.ts";
import { labelKinds } from "#contract/lists/labels.ts";
import type { VideoListQuery } from "#contract/videos/videos.ts";
import { labelTag } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Viewer } from "#server/http/access/policy.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { listParts } from "#server/features/labels/series.service.ts";
import {
  decodeCursor,
  encodeCursor,
  adminSortKey,
  sortKey,
  type ListOrder,
  type SortKey,
} from "./list-order.ts";
import { readSiteTally, readTallies } from "./tallies.sql.ts";
import type { TextSearch } from "./text-search.ts";
import {
  hasOnlyWords,
  labelsOf,
  selectMatchingIds,
  type TextMatch,
  type VideoFilter,
} from "./video-filter.sql.ts";
import {
  countAll,
  listAllIds,
  listListedIds,
  type ListedId,
  type ListPage,
} from "./video-list.repository.ts";

/** Service that finds labels by their slugs. */
type LabelIds = Pick<LabelsService, "findId">;
type Query = Partial<VideoListQuery>;
/** Query of a list that isn't in the order of a series. */
type SortedQuery = Omit<Query, "sort"> & { sort?: Sort | undefined };

export interface IdPage {
  ids: string[];
  total: number;
  nextCursor: string | null;
  /** Search of the list. */
  match?: TextMatch | undefined;
  /** Series of a list in its order, and the number of videos before this page. */
  series?: { key: string; offset: number };
}

const nothing: IdPage = { ids: [], total: 0, nextCursor: null };
/** Sort value of lists by relevance. Their cursors contain the number of items before them. */
const relevance = "relevance";
/** List in the order of a series. Its cursors contain the number of items before them, too. */
const parts = "part";

/** Returns the ids of a query's labels, or null if one doesn't exist. */
async function findLabels(
  labels: LabelIds,
  query: Pick<AdminVideoFilter, "category" | "tag" | "actor">,
): Promise<VideoFilter["labels"] | null> {
  const found: VideoFilter["labels"] = {};
  const names = { categories: query.category, tags: query.tag, actors: query.actor };
  for (const kind of labelKinds) {
    const name = names[kind];
    if (name === undefined || name === "") continue;
    const id = await labels.findId(kind, name);
    if (id === null) return null;
    found[kind] = id;
  }
  return found;
}

/** A video that enters or leaves the list has all of these labels, so noting one is enough. */
function noteList(labels: VideoFilter["labels"]): void {
  const kind = labelKinds.find((each) => labels[each] !== undefined);
  const id = kind === undefined ? undefined : labels[kind];
  noteShown(kind === undefined || id === undefined ? "videos" : labelTag(kind, id));
}

async function readAll(
  db: Db,
  filter: VideoFilter,
  key: SortKey,
  page: ListPage,
  knownTotal?: number,
): Promise<{ rows: ListedId[]; total: number }> {
  const isEverything = filter.match === undefined && hasOnlyWords(filter);
  const count = async () =>
    isEverything ? (await readSiteTally(db)).videos : countAll(db, filter);
  const [rows, total] = await Promise.all([
    listAllIds(db, filter, key, page),
    knownTotal ?? count(),
  ]);
  return { rows, total };
}

async function listRelevant(
  search: TextSearch,
  from: Db,
  filter: VideoFilter,
  match: TextMatch,
  query: SortedQuery,
): Promise<IdPage> {
  const limit = query.limit ?? limits.publicPageSize;
  const at = query.cursor === undefined ? null : decodeCursor(query.cursor, relevance, "count");
  const offset = at !== null && "offset" in at ? at.offset : (query.offset ?? 0);
  const { ids, total } = await search.rank(from, match, filter, { limit, offset });
  const next = offset + ids.length;
  return {
    ids,
    total,
    match,
    nextCursor:
      next < total && ids.length > 0 ? encodeCursor({ list: relevance, offset: next }) : null,
  };
}

/** Returns null if nothing can match: a label that doesn't exist, or words that occur nowhere. */
async function resolve(
  filter: AdminVideoFilter,
  { labels, search }: { labels: LabelIds; search: TextSearch },
): Promise<VideoFilter | null> {
  const { search: text, state, visibility, premium } = filter;
  const found = await findLabels(labels, filter);
  if (found === null) return null;
  const resolved: VideoFilter = {
    visibility: "all",
    labels: found,
    state,
    chosenVisibility: visibility,
    isPremium: premium,
  };
  if (text === undefined || text === "") return resolved;
  const match = await search.understand(text, "all");
  return match === null ? null : { ...resolved, match };
}

/** Lists of videos as ids in order, with the total. */
export function createListSkeletons(deps: {
  db: Db;
  /** Database for visitors' lists. */
  reads?: Db;
  labels: LabelIds;
  search: TextSearch;
}) {
  const { db, reads = db, labels, search } = deps;

  /** @param knownTotal total, if the caller has already counted. */
  function readPage(
    filter: VideoFilter,
    order: ListOrder,
    page: ListPage,
    knownTotal?: number,
  ): Promise<{ rows: ListedId[]; total: number }> {
    return filter.visibility === "all"
      ? readAll(db, filter, sortKey(order, false), page, knownTotal)
      : listListedIds(reads, filter, sortKey(order, true), page);
  }

  async function listSorted(
    filter: VideoFilter,
    query: SortedQuery,
    sort: Sort,
    knownTotal?: number,
  ): Promise<IdPage> {
    const order = { sort, timeRange: query.timeRange };
    const { kind } = sortKey(order, filter.visibility === "listed");
    // Admins see longer lists with the same names, sorted by creation.
    const list = [sort, query.timeRange ?? "", filter.state ?? filter.visibility].join("/");
    const limit = query.limit ?? limits.publicPageSize;
    const at = query.cursor === undefined ? null : decodeCursor(query.cursor, list, kind);
    const page = {
      limit: limit + 1,
      offset: at === null ? (query.offset ?? 0) : 0,
      ...(at !== null && "id" in at ? { after: at } : {}),
    };
    const { rows, total } = await readPage(filter, order, page, knownTotal);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      ids: rows.slice(0, limit).map((row) => row.id),
      total,
      nextCursor: last === undefined ? null : encodeCursor({ list, value: last.key, id: last.id }),
    };
  }

  async function listMatching(filter: VideoFilter, query: SortedQuery): Promise<IdPage> {
    const { match } = filter;
    if (match === undefined || query.sort !== undefined) {
      return { ...(await listSorted(filter, query, query.sort ?? "newest")), match };
    }
    if (filter.visibility === "all") {
      // Admins can go on past the ranked videos to the end, newest first.
      const total = await countAll(db, filter);
      if (total > search.rankedMax) return listSorted(filter, query, "newest", total);
    }
    const from = filter.visibility === "listed" ? reads : db;
    return listRelevant(search, from, filter, match, query);
  }

  /** Returns the videos of a series in order, or null unless its label is the only filter. */
  async function listInOrder(of: VideoFilter["labels"], query: Query): Promise<IdPage | null> {
    const [label, ...more] = labelsOf({ visibility: "listed", labels: of });
    const { search: words, length, date, quality } = query;
    const isNarrowed = [words, length, date, quality].some((value) => value !== undefined);
    if (label === undefined || more.length > 0 || isNarrowed) return null;
    const at = query.cursor === undefined ? null : decodeCursor(query.cursor, parts, "count");
    const offset = at !== null && "offset" in at ? at.offset : (query.offset ?? 0);
    const limit = query.limit ?? limits.publicPageSize;
    const page = { limit: limit + 1, offset };
    const found = await listParts(reads, label, page);
    if (found === null) return null;
    const { ids, key } = found;
    const total = (await readTallies(reads, [label.id])).get(label.id)?.listed ?? 0;
    const next = offset + limit;
    const hasMore = ids.length > limit && next <= limits.maxOffset;
    const nextCursor = hasMore ? encodeCursor({ list: parts, offset: next }) : null;
    return { ids: ids.slice(0, limit), total, nextCursor, series: { key, offset } };
  }

  return {
    /**
     * Returns the ids of GET /api/videos. Totals are exact for admins, for the whole site and for
     * one label. With other filters they are exact up to 10,000, and for searches by relevance up
     * to the number ranked.
     * @throws AppError invalid for a cursor of another list.
     */
    async listIds({ sort, ...rest }: Query, viewer: Viewer): Promise<IdPage> {
      const query: SortedQuery = sort === "part" ? rest : { ...rest, sort };
      const isPublic = !viewer.isAdmin || query.published === true;
      const found = await findLabels(labels, query);
      if (found === null) {
        noteShown("labels", "videos");
        return nothing;
      }
      noteList(found);
      const inOrder = sort === "part" ? await listInOrder(found, query) : null;
      if (inOrder !== null) return inOrder;
      const filter: VideoFilter = {
        visibility: isPublic ? "listed" : "all",
        labels: found,
        state: !isPublic && query.published === false ? "draft" : undefined,
        length: query.length,
        date: query.date,
        quality: query.quality,
      };
      if (query.search === undefined) return listMatching(filter, query);
      const isWhole = hasOnlyWords(filter);
      for await (const match of search.readings(query.search, filter.visibility, isWhole)) {
        const page = await listMatching({ ...filter, match }, query);
        if (page.total > 0) return page;
      }
      return nothing;
    },

    /**
     * Returns the ids of GET /api/admin/videos. They can be sorted by any column and have exact
     * totals but no cursors.
     */
    async listAdminIds(query: AdminVideoQuery): Promise<IdPage> {
      const filter = await resolve(query, deps);
      if (filter === null) return nothing;
      const key = adminSortKey(query.sort ?? "created", query.order ?? "desc");
      const page = { limit: query.limit ?? limits.adminPageSize, offset: query.offset ?? 0 };
      const { rows, total } = await readAll(db, filter, key, page);
      return { ids: rows.map((row) => row.id), total, nextCursor: null };
    },

    /** Builds a query for the ids of all matching videos; null if none match. */
    async matchingIds(filter: AdminVideoFilter): Promise<RawBuilder<{ id: string }> | null> {
      const resolved = await resolve(filter, deps);
      return resolved === null ? null : selectMatchingIds(resolved);
    },

    /** Returns the most trending listed videos with these labels. */
    async listTrendingIds(labels: VideoFilter["labels"], limit: number): Promise<string[]> {
      noteList(labels);
      const filter: VideoFilter = { labels, visibility: "listed" };
      const { rows } = await readPage(filter, { sort: "trending" }, { limit, offset: 0 });
      return rows.map((row) => row.id);
    },
  };
}

export type ListSkeletons = ReturnType<typeof createListSkeletons>;
