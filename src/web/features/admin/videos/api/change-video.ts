import { video, type Video, type VideoUpdate } from "#contract/videos/videos.ts";
import { adminCall, adminSend } from "../../shared/admin-api.ts";

const pathOf = (id: string) => `/api/videos/${encodeURIComponent(id)}`;
const adminPathOf = (id: string) => `/api/admin/videos/${encodeURIComponent(id)}`;

export function getVideo(id: string): Promise<Video> {
  return adminCall(pathOf(id), video);
}

/** @throws ApiError 409 `edit_conflict` if another user has saved since `version` was read. */
export function updateVideo(id: string, change: VideoUpdate): Promise<Video> {
  return adminCall(pathOf(id), video, { method: "PUT", body: change });
}

export function deleteVideo(id: string): Promise<void> {
  return adminSend(pathOf(id), { method: "DELETE" });
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
