import { video, type Video } from "#contract/videos/videos.ts";
import { ApiError } from "#web/lib/api/http.ts";
import { pageTokenHeaders } from "#web/lib/page-token.ts";
import { splitNames } from "../../shared/label-names-field.tsx";
import { sendReadable } from "../../shared/readable-file.ts";
import { withSession } from "../../shared/session-renewal.ts";
import { setThumbnail, updateVideo } from "../../videos/calls.ts";
import type { UploadItem } from "./upload-item.ts";

/** File, or the id of an earlier upload. */
type Source = { file: Blob } | { uploadId: string };

/** Returns the multipart form of `POST /api/videos`. */
function formOf(item: UploadItem, source: Source): FormData {
  const data = new FormData();
  const { form, thumbnail, durationS } = item;
  data.set("title", form.title.trim());
  if (durationS !== null && durationS > 0) data.set("duration", String(durationS));
  for (const name of ["description", "categories", "tags", "actors"] as const) {
    if (form[name].trim() !== "") data.set(name, form[name].trim());
  }
  data.set("isPremium", String(form.isPremium));
  if (thumbnail.state === "ready") {
    const base = item.name.replace(/\.[^.]+$/, "");
    data.set(
      "thumbnail",
      new File([thumbnail.blob], `${base}-thumbnail.jpg`, { type: thumbnail.blob.type }),
    );
  }
  if ("file" in source) data.set("video", source.file, item.name);
  else data.set("uploadId", source.uploadId);
  return data;
}

interface SendOptions {
  signal: AbortSignal;
  /** Called with the bytes sent so far. */
  onProgress?: (sentBytes: number, totalBytes: number) => void;
}

interface Posted {
  body: unknown;
  /** True for the stored response of an earlier request, whose form may have been another. */
  isReplayed: boolean;
}

function post(id: string, data: FormData, { signal, onProgress }: SendOptions): Promise<Posted> {
  return new Promise((resolve, reject) => {
    // The upload may have been removed while the user signed in again.
    signal.throwIfAborted();
    // fetch reports no upload progress.
    const request = new XMLHttpRequest();
    request.open("POST", "/api/videos");
    const headers = {
      accept: "application/json",
      // Browsers repeat a request whose response got lost, and so does a user who presses again.
      "idempotency-key": id,
      ...pageTokenHeaders(),
    };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = "text";
    request.upload.addEventListener("progress", (event) => onProgress?.(event.loaded, event.total));
    request.addEventListener("load", () => {
      let body: unknown = null;
      try {
        body = JSON.parse(request.responseText);
      } catch {
        // A response from a proxy contains no message of ours.
      }
      const isReplayed = request.getResponseHeader("idempotent-replayed") === "true";
      if (request.status >= 200 && request.status < 300) resolve({ body, isReplayed });
      else reject(new ApiError(request.status, body));
    });
    request.addEventListener("error", () => reject(new TypeError("Network error")));
    request.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError")));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(data);
  });
}

/**
 * Applies the form to a video that an earlier request has created. Changes nothing if the video has
 * changed since then, because an earlier attempt or another user may have saved it.
 */
async function applyForm({ id, version }: Video, { form, thumbnail }: UploadItem): Promise<void> {
  const change = {
    title: form.title.trim(),
    description: form.description.trim(),
    categories: splitNames(form.categories),
    tags: splitNames(form.tags),
    actors: splitNames(form.actors),
    isPremium: form.isPremium,
    version,
  };
  try {
    await updateVideo(id, change);
  } catch (error) {
    if (error instanceof ApiError && error.code === "edit_conflict") return;
    throw error;
  }
  if (thumbnail.state === "ready" && thumbnail.isChosen) await setThumbnail(id, thumbnail.blob);
}

/**
 * Sends the form.
 * @throws ApiError, UnreadableFileError, TypeError if the server cannot be reached, AbortError.
 */
export async function sendForm(
  item: UploadItem,
  source: Source,
  options: SendOptions,
): Promise<Video> {
  const send = () => withSession(() => post(item.id, formOf(item, source), options));
  const { body, isReplayed } = await ("file" in source ? sendReadable(source.file, send) : send());
  const created = video.parse(body);
  if (isReplayed) await applyForm(created, item);
  return created;
}
