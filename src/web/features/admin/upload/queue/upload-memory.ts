import type { z } from "zod";
import { sealOf } from "#web/lib/page-token.ts";
import { uploadDatabase } from "#web/lib/session-actions.ts";
import { rememberedUpload } from "./remembered-upload.schema.ts";
import { partsAboveBytes, type UploadItem } from "./upload-item.ts";

/** Data that survives a reload: the form and the URL of the bytes on the server. */
export type RememberedUpload = Omit<
  z.infer<typeof rememberedUpload>,
  "thumbnail" | "seal" | "userId"
> & {
  thumbnail: Blob | null;
};

/** Returns the seal of an upload. Its bytes aren't sealed, because reading them takes too long. */
function sealUpload({ id, name, sizeBytes, form, uploadUrl, isSubmitted }: RememberedUpload) {
  const fields = Object.entries(form).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sealOf(JSON.stringify([id, name, sizeBytes, fields, uploadUrl, isSubmitted]));
}

const isOwnUrl = (url: string | null): boolean =>
  url !== null &&
  new URL(url, window.location.href).href.startsWith(`${window.location.origin}/api/uploads/`);

/**
 * Reads a stored upload. A script of a public page may have written it: without a valid seal, the
 * user must submit it again, and the file is only sent to this site.
 * @returns null if it belongs to another user, or another version of the program wrote the value.
 */
async function readUpload(value: unknown, reader: string): Promise<RememberedUpload | null> {
  try {
    // Older versions stored no user.
    const { seal = "", userId = reader, ...read } = rememberedUpload.parse(value);
    if (userId !== reader) return null;
    const thumbnail = read.thumbnail instanceof Blob ? read.thumbnail : null;
    const upload = { ...read, thumbnail };
    const isSealed = seal !== "" && seal === (await sealUpload(upload));
    const isSubmitted = read.isSubmitted && isSealed;
    return { ...upload, isSubmitted, uploadUrl: isOwnUrl(read.uploadUrl) ? read.uploadUrl : null };
  } catch {
    return null;
  }
}

type StoreName = "uploads" | "files";

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("Storage failed")));
  });
}

/** @param onDelete called when the user signs out, also in another tab. */
async function openDatabase(onDelete: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(uploadDatabase, 1);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore("uploads" satisfies StoreName, { keyPath: "id" });
    request.result.createObjectStore("files" satisfies StoreName);
  });
  const database = await done(request);
  database.addEventListener("versionchange", () => {
    database.close();
    onDelete();
  });
  return database;
}

/** If storage is off or full, uploads work but don't survive a reload. */
export function createUploadMemory(userId: string) {
  let opening: Promise<IDBDatabase> | undefined;
  const open = () => (opening ??= openDatabase(() => (opening = undefined)));
  // Sealing takes a while, so an upload that is removed meanwhile would be saved after its removal.
  let lastChange: Promise<void> = Promise.resolve();
  const inOrder = (change: () => Promise<void>) => (lastChange = lastChange.then(change, change));

  async function use<T>(
    name: StoreName,
    mode: IDBTransactionMode,
    run: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | null> {
    try {
      return await done(run((await open()).transaction(name, mode).objectStore(name)));
    } catch (error) {
      console.warn("Couldn't remember what is uploaded", error);
      return null;
    }
  }

  return {
    /** Lists the user's uploads, with their files if the browser had space for them. */
    async list(): Promise<{ upload: RememberedUpload; file: Blob | null }[]> {
      const found = await use<unknown[]>("uploads", "readonly", (store) => store.getAll());
      const list: { upload: RememberedUpload; file: Blob | null }[] = [];
      for (const value of found ?? []) {
        const upload = await readUpload(value, userId);
        if (upload === null) continue;
        const file = await use<unknown>("files", "readonly", (store) => store.get(upload.id));
        list.push({ upload, file: file instanceof Blob ? file : null });
      }
      return list;
    },
    /** Stores the file. Call it once per file, since the browser copies it. */
    async keepFile(id: string, file: Blob): Promise<void> {
      await use("files", "readwrite", (store) => store.put(file, id));
    },
    save: (upload: RememberedUpload): Promise<void> =>
      inOrder(async () => {
        const sealed = { ...upload, userId, seal: await sealUpload(upload) };
        await use("uploads", "readwrite", (store) => store.put(sealed));
      }),
    remove: (id: string): Promise<void> =>
      inOrder(async () => {
        try {
          // One transaction, because a file without its upload would never be deleted.
          const both = (await open()).transaction(["uploads", "files"], "readwrite");
          both.objectStore("uploads").delete(id);
          await done(both.objectStore("files").delete(id));
        } catch (error) {
          console.warn("Couldn't forget what was uploaded", error);
        }
      }),
  };
}

export type UploadMemory = ReturnType<typeof createUploadMemory>;

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
