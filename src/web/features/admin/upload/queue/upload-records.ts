import { newKey } from "#web/lib/new-key.ts";
import { blankForm, partsAboveBytes, type UploadItem } from "./upload-item.ts";
import type { RememberedUpload } from "./upload-memory.ts";

/** Returns the item for a newly chosen file. */
export function newItem(file: File): UploadItem {
  return {
    id: newKey(),
    file,
    name: file.name,
    sizeBytes: file.size,
    type: file.type,
    thumbnail: { state: "loading" },
    durationS: null,
    form: blankForm,
    phase: "editing",
    transfer: file.size > partsAboveBytes ? "queued" : "with-form",
    sentBytes: 0,
    uploadUrl: null,
    error: null,
  };
}

/** Returns the part of an item that the upload memory stores. */
export function rememberedOf(item: UploadItem): RememberedUpload {
  const { id, name, sizeBytes, type, thumbnail, durationS, form, uploadUrl, phase } = item;
  return {
    id,
    name,
    sizeBytes,
    type,
    thumbnail: thumbnail.state === "ready" ? thumbnail.blob : null,
    durationS,
    form,
    uploadUrl,
    isSubmitted: phase !== "editing",
  };
}

/** Returns the item for a remembered upload. Without the file, the user must choose it again. */
export function itemOf(upload: RememberedUpload, file: Blob | null): UploadItem {
  const { thumbnail, isSubmitted, ...rest } = upload;
  const isLarge = upload.sizeBytes > partsAboveBytes;
  // Another page of the site may have exchanged the stored file, so visitors must not see the video
  // before the user has.
  const continues = isSubmitted && rest.form.outcome === "draft";
  return {
    ...rest,
    // Older versions stored fewer fields.
    form: {
      ...rest.form,
      outcome: rest.form.outcome ?? "draft",
      publishAt: rest.form.publishAt ?? "",
    },
    file,
    thumbnail:
      thumbnail === null
        ? { state: "none" }
        : { state: "ready", blob: thumbnail, url: URL.createObjectURL(thumbnail) },
    phase: continues && file !== null && isLarge ? "sending" : "editing",
    transfer: !isLarge ? "with-form" : file === null ? "failed" : "queued",
    sentBytes: 0,
    error:
      file === null
        ? "Your browser couldn't keep the file. Choose it again to resume the upload."
        : null,
  };
}
