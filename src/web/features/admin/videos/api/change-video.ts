import { video, type Video, type VideoUpdate } from "#contract/videos/videos.ts";
import { adminCall, adminSend } from "../../shared/admin-api.ts";

const pathOf = (id: string) => `/api/videos/${encodeURIComponent(id)}`;

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
