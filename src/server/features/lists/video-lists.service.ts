import { limits, type Sort } from "../../../contract/limits.ts";
import { taxonomyKinds, type TaxonomyKind } from "../../../contract/taxonomy.ts";
import type { VideoListQuery } from "../../../contract/videos.ts";
import type { Db } from "../../db/connection.ts";
import { readSiteTally, readTallies, siteScope } from "../../db/tallies.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { labelsOf, type ListFilter } from "./list-filter.ts";
import { sortKey } from "./list-order.ts";
import { totalMax, type ListSize } from "./list-size.ts";
import type { TextSearch } from "./text-search.ts";
import {
  countAll,
  countListed,
  listAllIds,
  listListedIds,
  type ListedId,
} from "./video-list.repository.ts";

export interface IdPage {
  ids: string[];
  total: number;
  nextCursor: string | null;
}

export interface VideoLists {
  /**
   * Ids of one page and how many there are. Totals are exact for admins, for everything and for one
   * label; of other filters up to 10,000, and of searches by relevance as many as are ranked.
   * @throws AppError invalid for a cursor of another list.
   */
  listIds(query: Partial<VideoListQuery>, viewer: { isAdmin: boolean }): Promise<IdPage>;
  /** What is watched most now among what visitors see with these labels. */
  listTrendingIds(labels: ListFilter["labels"], limit: number): Promise<string[]>;
}

const nothing: IdPage = { ids: [], total: 0, nextCursor: null };
/** Lists by relevance have no sort value; their cursor says how many came before. */
const relevance = "relevance";

export function createVideoLists(deps: {
  db: Db;
  catalog: Pick<CatalogService, "findId">;
  search: TextSearch;
}): VideoLists {
  const { db, catalog, search } = deps;

  /** The filter of a query but for its words, or null where nothing can match it. */
  async function filterOf(
    query: Partial<VideoListQuery>,
    viewer: { isAdmin: boolean },
  ): Promise<ListFilter | null> {
    const labels: Partial<Record<TaxonomyKind, string>> = {};
    const asked = { categories: query.category, tags: query.tag, actors: query.actor };
    for (const kind of taxonomyKinds) {
      const key = asked[kind];
      if (key === undefined) continue;
      const id = await catalog.findId(kind, key);
      if (id === null) return null;
      labels[kind] = id;
    }
    const isPublic = !viewer.isAdmin || query.published === true;
    const visibility = isPublic ? "listed" : query.published === false ? "unpublished" : "all";
    return { labels, visibility };
  }

  async function sizeOf(filter: ListFilter): Promise<ListSize> {
    const labels = labelsOf(filter);
    const tallies = await readTallies(db, [siteScope, ...labels.map(({ id }) => id)]);
    const listed = (id: string) => tallies.get(id)?.listed ?? 0;
    const [smallest] = labels.toSorted((a, b) => listed(a.id) - listed(b.id));
    const size = {
      site: listed(siteScope),
      smallestLabel: smallest ?? null,
      isFiltered: smallest !== undefined || filter.match !== undefined,
      isOneLabel: labels.length === 1 && filter.match === undefined,
    };
    if (!size.isFiltered) return { ...size, total: size.site, gatherable: size.site };
    const labelled = smallest === undefined ? null : listed(smallest.id);
    const total =
      size.isOneLabel && labelled !== null
        ? labelled
        : labelled === 0
          ? 0
          : await countListed(db, filter, smallest ?? null, totalMax);
    return { ...size, total, gatherable: labelled ?? total };
  }

  async function listSorted(
    filter: ListFilter,
    query: Partial<VideoListQuery>,
    sort: Sort,
    knownTotal?: number,
  ): Promise<IdPage> {
    const order = { sort, timeRange: query.timeRange };
    const isPublic = filter.visibility === "listed";
    // Admins see other lists under the same names: by creation, and with more in them.
    const list = [sort, query.timeRange ?? "", filter.visibility].join("/");
    const { kind } = sortKey(order, isPublic);
    const limit = query.limit ?? limits.publicPageSize;
    const at = query.cursor === undefined ? null : decodeCursor(query.cursor, list, kind);
    const page = {
      limit: limit + 1,
      offset: at === null ? (query.offset ?? 0) : 0,
      ...(at !== null && "id" in at ? { after: at } : {}),
    };
    let rows: ListedId[];
    let total: number;
    if (isPublic) {
      const size = await sizeOf(filter);
      rows = await listListedIds(db, filter, order, page, size);
      ({ total } = size);
    } else {
      [rows, total] = await Promise.all([
        listAllIds(db, filter, order, page),
        knownTotal ?? countForAdmin(filter),
      ]);
    }
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      ids: rows.slice(0, limit).map((row) => row.id),
      total,
      nextCursor: last === undefined ? null : encodeCursor({ list, value: last.key, id: last.id }),
    };
  }

  async function countForAdmin(filter: ListFilter): Promise<number> {
    const isEverything =
      filter.visibility === "all" && labelsOf(filter).length === 0 && filter.match === undefined;
    return isEverything ? (await readSiteTally(db)).videos : countAll(db, filter);
  }

  async function listRelevant(
    filter: ListFilter,
    match: NonNullable<ListFilter["match"]>,
    query: Partial<VideoListQuery>,
  ): Promise<IdPage> {
    const limit = query.limit ?? limits.publicPageSize;
    const at = query.cursor === undefined ? null : decodeCursor(query.cursor, relevance, "count");
    const offset = at !== null && "offset" in at ? at.offset : (query.offset ?? 0);
    const { ids, total } = await search.rank(db, match, filter, { limit, offset });
    const next = offset + ids.length;
    return {
      ids,
      total,
      nextCursor:
        next < total && ids.length > 0 ? encodeCursor({ list: relevance, offset: next }) : null,
    };
  }

  async function listMatching(filter: ListFilter, query: Partial<VideoListQuery>): Promise<IdPage> {
    const { match } = filter;
    if (match === undefined || query.sort !== undefined) {
      return listSorted(filter, query, query.sort ?? "newest");
    }
    if (filter.visibility !== "listed") {
      // Beyond what is ranked an admin still pages to the very end: newest first then.
      const total = await countAll(db, filter);
      if (total > search.rankedMax) return listSorted(filter, query, "newest", total);
    }
    return listRelevant(filter, match, query);
  }

  return {
    async listIds(query, viewer) {
      const filter = await filterOf(query, viewer);
      if (filter === null) return nothing;
      if (query.search === undefined) return listMatching(filter, query);
      const isWhole = labelsOf(filter).length === 0 && filter.visibility !== "unpublished";
      for await (const match of search.readings(query.search, filter.visibility, isWhole)) {
        const page = await listMatching({ ...filter, match }, query);
        if (page.total > 0) return page;
      }
      return nothing;
    },

    async listTrendingIds(labels, limit) {
      const filter: ListFilter = { labels, visibility: "listed" };
      const page = { limit, offset: 0 };
      const rows = await listListedIds(
        db,
        filter,
        { sort: "trending" },
        page,
        await sizeOf(filter),
      );
      return rows.map((row) => row.id);
    },
  };
}
