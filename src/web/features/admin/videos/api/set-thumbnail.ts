import { video, type Video } from "#contract/videos/videos.ts";
import { ApiError } from "#web/lib/api/http.ts";
import { withSession } from "../../shared/session-renewal.ts";

async function put(id: string, picture: Blob): Promise<unknown> {
  const response = await fetch(`/api/admin/videos/${encodeURIComponent(id)}/thumbnail`, {
    method: "PUT",
    headers: {
      accept: "application/json",
      "content-type": picture.type || "application/octet-stream",
    },
    body: picture,
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}

/** Sets a JPEG, PNG or WebP picture as the thumbnail of a video. */
export async function setThumbnail(id: string, picture: Blob): Promise<Video> {
  return video.parse(await withSession(() => put(id, picture)));
}
