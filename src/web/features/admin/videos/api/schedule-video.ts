import { video, type Video } from "#contract/videos/videos.ts";
import { adminCall } from "../../shared/admin-api.ts";

/** Schedules the publication; null cancels it. */
export function scheduleVideo(id: string, publishAt: Date | null): Promise<Video> {
  return adminCall(`/api/admin/videos/${encodeURIComponent(id)}/schedule`, video, {
    method: "PUT",
    body: { publishAt: publishAt?.toISOString() ?? null },
  });
}
