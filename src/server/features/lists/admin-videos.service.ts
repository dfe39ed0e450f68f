import type { RawBuilder } from "kysely";
import { limits } from "../../../contract/limits.ts";
import type { AdminVideoFilter, AdminVideoQuery } from "../../../contract/admin-videos.ts";
import type { TaxonomyKind } from "../../../contract/taxonomy.ts";
import type { VideoList } from "../../../contract/videos.ts";
import type { Db } from "../../db/connection.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import type { TextSearch } from "./text-search.ts";
import type { VideosService } from "../library/videos.service.ts";
import {
  countAdminVideos,
  listAdminVideoIds,
  matchingIds,
  type ResolvedFilter,
} from "./admin-videos.repository.ts";

export interface AdminVideosService {
  list(query: AdminVideoQuery): Promise<VideoList>;
  /** A query for the ids of all that match; null if nothing can, as for an unknown label. */
  matchingIds(filter: AdminVideoFilter): Promise<RawBuilder<{ id: string }> | null>;
}

export function createAdminVideosService(deps: {
  db: Db;
  catalog: CatalogService;
  videos: VideosService;
  search: TextSearch;
}): AdminVideosService {
  const { db, catalog, videos } = deps;

  async function resolve(filter: AdminVideoFilter): Promise<ResolvedFilter | null> {
    const { search, state, premium } = filter;
    const labelIds: Partial<Record<TaxonomyKind, string>> = {};
    const asked = { categories: filter.category, tags: filter.tag, actors: filter.actor };
    for (const kind of ["categories", "tags", "actors"] as const) {
      const name = asked[kind];
      if (name === undefined || name === "") continue;
      const id = await catalog.findId(kind, name);
      if (id === null) return null;
      labelIds[kind] = id;
    }
    if (search === undefined || search === "") return { state, premium, labelIds };
    // The same search as the one of the plain list: a filter beside it only narrows what it finds.
    const match = await deps.search.understand(search, "all");
    return match === null ? null : { state, premium, labelIds, match };
  }

  return {
    async matchingIds(filter) {
      const resolved = await resolve(filter);
      return resolved === null ? null : matchingIds(resolved);
    },

    async list(query) {
      const filter = await resolve(query);
      if (filter === null) return { videos: [], total: 0, nextCursor: null };
      const sort = query.sort ?? "created";
      const isDescending = (query.order ?? "desc") === "desc";
      const page = { limit: query.limit ?? limits.adminPageSize, offset: query.offset ?? 0 };
      const [ids, total] = await Promise.all([
        listAdminVideoIds(db, filter, { sort, isDescending }, page),
        countAdminVideos(db, filter),
      ]);
      return { videos: await videos.listByIds(ids, { isAdmin: true }), total, nextCursor: null };
    },
  };
}
