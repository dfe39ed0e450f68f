import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  adminVideoSorts,
  adminVideoStates,
  bulkJob,
  bulkJobList,
  privateLink,
  type AdminVideoFilter,
  type BulkJob,
  type BulkRequest,
  type BulkTarget,
  type PrivateLink,
} from "#contract/videos/admin-videos.ts";
import {
  videoList,
  visibilities,
  video,
  type VideoList,
  type Video,
  type VideoUpdate,
} from "#contract/videos/videos.ts";
import { videoOrigin } from "#contract/videos/site-imports.ts";
import type { ClipFate } from "#contract/videos/clips.ts";
import { trashList, type TrashList } from "#contract/videos/trash.ts";
import { queryString } from "#web/lib/api/http.ts";
import { reprocessingPlan, type ReprocessingPlan } from "#contract/videos/reprocessing-plan.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";
import type { ListParams } from "../shared/list-params.ts";

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

const pathOf = (id: string) => `/api/videos/${encodeURIComponent(id)}`;
const adminPathOf = (id: string) => `/api/admin/videos/${encodeURIComponent(id)}`;

export function getVideo(id: string): Promise<Video> {
  return adminCall(pathOf(id), video);
}

/** @throws ApiError 409 `edit_conflict` if another user has saved since `version` was read. */
export function updateVideo(id: string, change: VideoUpdate): Promise<Video> {
  return adminCall(pathOf(id), video, { method: "PUT", body: change });
}

export function deleteVideo(id: string, clips?: ClipFate): Promise<void> {
  return adminSend(pathOf(id) + queryString({ clips }), { method: "DELETE" });
}

/** Lists removed videos, latest first. */
export function listTrash(limit: number, offset = 0): Promise<TrashList> {
  return adminCall(`/api/admin/trash${queryString({ limit, offset })}`, trashList);
}

/** Returns a removed video to the list. */
export function restoreVideo(id: string): Promise<Video> {
  return adminCall(`/api/admin/trash/${id}/restore`, video, { method: "POST" });
}

/** Processes a failed video again. */
export function retryVideo(id: string): Promise<Video> {
  return adminCall(`${pathOf(id)}/retry`, video, { method: "POST" });
}

/** Reprocesses the renditions of a video. */
export function reprocessVideo(id: string): Promise<Video> {
  return adminCall(`${pathOf(id)}/reprocess`, video, { method: "POST" });
}

/** Schedules the publication; null cancels it. */
export function scheduleVideo(id: string, publishAt: Date | null): Promise<Video> {
  const body = { publishAt: publishAt?.toISOString() ?? null };
  return adminCall(`${adminPathOf(id)}/schedule`, video, { method: "PUT", body });
}

/** Sets a JPEG, PNG or WebP picture as the thumbnail of a video. */
export function setThumbnail(id: string, picture: Blob): Promise<Video> {
  return adminCall(`${adminPathOf(id)}/thumbnail`, video, { method: "PUT", body: picture });
}

export const bulkListKey = ["admin", "bulk"] as const;

export const bulkListQuery = queryOptions({
  queryKey: bulkListKey,
  queryFn: () => adminCall("/api/admin/bulk", bulkJobList),
});

export function startBulk(request: BulkRequest): Promise<BulkJob> {
  return adminCall("/api/admin/bulk", bulkJob, { method: "POST", body: request });
}

export function planReprocess(target: BulkTarget): Promise<ReprocessingPlan> {
  return adminCall("/api/admin/bulk/reprocess/plan", reprocessingPlan, {
    method: "POST",
    body: { target },
  });
}

export function cancelBulk(id: string): Promise<BulkJob> {
  return adminCall(`/api/admin/bulk/${id}/cancel`, bulkJob, { method: "POST" });
}

const linkPathOf = (id: string) => `${adminPathOf(id)}/link`;

export function getPrivateLink(id: string): Promise<PrivateLink> {
  return adminCall(linkPathOf(id), privateLink);
}

/**
 * Creates a new private link and invalidates the previous one.
 * @param expiresAt null for a link that never expires.
 */
export function renewPrivateLink(id: string, expiresAt: string | null): Promise<PrivateLink> {
  return adminCall(linkPathOf(id), privateLink, { method: "PUT", body: { expiresAt } });
}

export function endPrivateLink(id: string): Promise<void> {
  return adminSend(linkPathOf(id), { method: "DELETE" });
}

/** Where an imported video came from. */
export const originQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "origin", id],
    queryFn: () => adminCall(`/api/admin/videos/${id}/origin`, videoOrigin),
    staleTime: Infinity,
  });
