import { video, type Video } from "#contract/videos/videos.ts";
import { ApiError } from "#web/lib/api/http.ts";
import { pageTokenHeaders } from "#web/lib/page-token.ts";
import { adminCall } from "../../shared/admin-api.ts";
import { withSession } from "../../shared/session-renewal.ts";
import { startTransfer, uploadIdOf } from "../../upload/queue/part-transfer.ts";

const pathOf = (id: string) => `/api/admin/videos/${id}/file`;

async function post(id: string, uploadId: string): Promise<unknown> {
  const form = new FormData();
  form.set("uploadId", uploadId);
  const response = await fetch(pathOf(id), {
    method: "POST",
    headers: { accept: "application/json", "idempotency-key": uploadId, ...pageTokenHeaders() },
    body: form,
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}

/** Sends a new file in parts. It replaces the old one once it is processed. */
export function replaceFile(
  id: string,
  file: File,
  onProgress: (sentBytes: number) => void,
): { done: Promise<Video>; stop(): void } {
  let url = "";
  const transfer = startTransfer(
    file,
    { name: file.name, type: file.type, uploadUrl: null },
    { onUrl: (given) => (url = given), onProgress, onWaiting: () => undefined },
  );
  return {
    done: transfer.done.then(async () =>
      video.parse(await withSession(() => post(id, uploadIdOf(url)))),
    ),
    stop: () => void transfer.stop(true),
  };
}

/** Discards the new file and keeps the old one. */
export function cancelNewFile(id: string): Promise<Video> {
  return adminCall(pathOf(id), video, { method: "DELETE" });
}
