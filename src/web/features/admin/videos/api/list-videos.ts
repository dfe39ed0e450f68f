import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  adminVideoSorts,
  adminVideoStates,
  type AdminVideoFilter,
} from "#contract/videos/admin-videos.ts";
import { videoList, visibilities, type VideoList } from "#contract/videos/videos.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall } from "../../shared/admin-api.ts";
import type { ListParams } from "../../shared/list-params.ts";

export interface VideoListParams {
  filter: AdminVideoFilter;
  sort: { column: (typeof adminVideoSorts)[number]; isDescending: boolean } | null;
  /** Starts at 1. */
  page: number;
  pageSize: number;
}

/** Reads the parameters from the URL. Ignores invalid values. */
export function readVideoListParams(params: ListParams): VideoListParams {
  const premium = params.get("premium");
  const column = adminVideoSorts.find((name) => name === params.sort?.column);
  const state = adminVideoStates.find((name) => name === params.get("state"));
  const visibility = visibilities.find((name) => name === params.get("visibility"));
  const optional = (name: string) => params.get(name) || undefined;
  return {
    filter: {
      ...(params.search === "" ? {} : { search: params.search }),
      ...(state === undefined ? {} : { state }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(premium === "true" || premium === "false" ? { premium: premium === "true" } : {}),
      ...(optional("category") === undefined ? {} : { category: optional("category") }),
      ...(optional("tag") === undefined ? {} : { tag: optional("tag") }),
      ...(optional("actor") === undefined ? {} : { actor: optional("actor") }),
    },
    sort: column === undefined ? null : { column, isDescending: params.sort?.isDescending ?? true },
    page: params.page,
    pageSize: params.pageSize,
  };
}

/**
 * Requests the public list if it supports the filters and the order, otherwise the back-office
 * list.
 */
function listVideos(
  { filter, sort, page, pageSize }: VideoListParams,
  signal: AbortSignal,
): Promise<VideoList> {
  const { search, ...others } = filter;
  const place = { search, limit: pageSize, offset: (page - 1) * pageSize };
  const isPlain = Object.keys(others).length === 0 && sort === null;
  const path = isPlain
    ? `/api/videos${queryString(place)}`
    : `/api/admin/videos${queryString({
        ...place,
        ...others,
        sort: sort?.column,
        order: sort === null ? null : sort.isDescending ? "desc" : "asc",
      })}`;
  return adminCall(path, videoList, { signal });
}

export const videoListKey = ["admin", "videos"] as const;

export function videoListQuery(params: VideoListParams) {
  return queryOptions({
    queryKey: [...videoListKey, params],
    queryFn: ({ signal }) => listVideos(params, signal),
    // Shows the old page until the next one arrives.
    placeholderData: keepPreviousData,
  });
}
