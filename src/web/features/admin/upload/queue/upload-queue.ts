import type { Video } from "#contract/videos/videos.ts";
import { ApiError } from "#web/lib/api/http.ts";
import { failureWithReason } from "../../shared/failure-text.ts";
import { UnreadableFileError } from "../../shared/readable-file.ts";
import { createThumbnail } from "../video-thumbnail.ts";
import { uploadIdOf, startTransfer, type PartTransfer } from "./part-transfer.ts";
import { sendForm } from "./send-form.ts";
import {
  isInParts,
  createItemStore,
  newItem,
  type UploadForm,
  type UploadItem,
  type ItemStore,
} from "./upload-item.ts";
import { itemOf, rememberedOf, type UploadMemory } from "./upload-memory.ts";
import { pageTokenHeaders } from "#web/lib/page-token.ts";

/** Maximum number of concurrent uploads. The others wait. */
const maxConcurrent = 2;

/**
 * Returns the state after a failure. The user must choose an unreadable file again. The bytes of
 * others stay: the next attempt asks the server how many it still has.
 */
const failedState = (error: unknown): Partial<UploadItem> => ({
  phase: "editing",
  error: failureWithReason("Upload failed", error),
  ...(error instanceof UnreadableFileError ? { file: null, uploadUrl: null, sentBytes: 0 } : {}),
});

/** Transfers large files in parts, two files at a time. */
function createFileTransfers(
  store: ItemStore,
  options: {
    /** Called when an upload must be saved again. */
    onChange: (id: string) => void;
    onArrived: (id: string) => Promise<void>;
  },
) {
  const transfers = new Map<string, PartTransfer>();

  /** Starts waiting transfers up to the limit. */
  function startNext(): void {
    const waiting = store.items().filter(({ transfer }) => transfer === "queued");
    for (const item of waiting.slice(0, Math.max(0, maxConcurrent - transfers.size))) {
      void transferFile(item);
    }
  }

  async function transferFile(item: UploadItem): Promise<void> {
    const { id, file } = item;
    if (file === null) return;
    store.change(id, { transfer: "running", error: null });
    const transfer = startTransfer(file, item, {
      onUrl: (uploadUrl) => {
        store.change(id, { uploadUrl });
        options.onChange(id);
      },
      onProgress: (sentBytes) => store.change(id, { sentBytes, transfer: "running", error: null }),
      onWaiting: (error) => store.change(id, { transfer: "waiting", error }),
    });
    transfers.set(id, transfer);
    try {
      await transfer.done;
      transfers.delete(id);
      store.change(id, { transfer: "arrived", sentBytes: item.sizeBytes, error: null });
      await options.onArrived(id);
    } catch (error) {
      transfers.delete(id);
      // The user removed the file, so there is nothing to report.
      if (error instanceof DOMException && error.name === "AbortError") return;
      store.change(id, { ...failedState(error), transfer: "failed" });
      options.onChange(id);
    }
    startNext();
  }

  return {
    startNext,
    /** Stops the transfer of an upload and discards the received bytes. */
    discard(id: string, uploadUrl: string | null): void {
      const running = transfers.get(id);
      transfers.delete(id);
      if (running !== undefined) void running.stop(true);
      else if (uploadUrl !== null) void deleteUploaded(uploadUrl);
    },
  };
}

/** Deletes unneeded bytes on the server. Otherwise, they expire after some days. */
async function deleteUploaded(uploadUrl: string): Promise<void> {
  const headers = { "tus-resumable": "1.0.0", ...pageTokenHeaders() };
  await fetch(uploadUrl, { method: "DELETE", headers, keepalive: true }).catch(() => undefined);
}

/**
 * Locks an upload for one tab, so that no second tab sends it too. Waits until the tab that holds
 * the lock is closed. Resolves with a function that releases the lock.
 */
function lockUpload(id: string): Promise<() => void> {
  // Locks only exist on HTTPS and on localhost. Elsewhere, two tabs may send the same upload.
  const unlocked = () => undefined;
  if (!("locks" in navigator)) return Promise.resolve(unlocked);
  return new Promise((resolve) => {
    const hold = () => new Promise<void>((release) => resolve(() => release()));
    navigator.locks.request(`kinora-upload-${id}`, hold).catch(() => resolve(unlocked));
  });
}

/** Milliseconds without input until a form is saved. */
const saveAfterMs = 400;

/**
 * Saves the uploads of this tab, so that a reload can continue them. Locks keep other tabs away.
 */
function createUploadPersistence(store: ItemStore, memory: UploadMemory) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const locks = new Map<string, () => void>();

  async function takeOver(id: string): Promise<void> {
    const release = await lockUpload(id);
    // The tab that held the lock may have changed or completed the upload.
    const stored = (await memory.list()).find((each) => each.upload.id === id);
    if (stored === undefined || store.find(id) !== undefined) return release();
    locks.set(id, release);
    store.add([itemOf(stored.upload, stored.file)]);
  }

  function save(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    const item = store.find(id);
    if (item !== undefined) void memory.save(rememberedOf(item));
  }

  return {
    save,
    /** Saves an upload once the user stops typing. */
    saveSoon(id: string): void {
      clearTimeout(timers.get(id));
      timers.set(
        id,
        setTimeout(() => save(id), saveAfterMs),
      );
    },

    /** Saves the file of a new upload, if there is one, and locks the upload for this tab. */
    claim(id: string, file: Blob | null): void {
      if (file !== null) void memory.keepFile(id, file);
      void lockUpload(id).then((release) => locks.set(id, release));
    },

    keepFile: (id: string, file: Blob): void => void memory.keepFile(id, file),

    forget(id: string): void {
      clearTimeout(timers.get(id));
      timers.delete(id);
      const release = locks.get(id);
      locks.delete(id);
      // Another tab that waits for the lock must not find the upload any more.
      void memory.remove(id).then(release);
    },

    /** Adds each stored upload once no other tab has it, and then calls `onAdded`. */
    async restore(onAdded: () => void): Promise<void> {
      const stored = await memory.list();
      await Promise.all(stored.map(({ upload }) => takeOver(upload.id).then(onAdded)));
    },
  };
}

/** Uploads of the back office. They continue while the user changes pages. */
export function createUploadQueue(
  memory: UploadMemory,
  onUploaded: (video: Video, form: UploadForm) => void,
) {
  const store = createItemStore();
  const saved = createUploadPersistence(store, memory);
  const forms = new Map<string, AbortController>();
  const transfers = createFileTransfers(store, {
    onChange: saved.save,
    async onArrived(id) {
      if (store.find(id)?.phase === "sending") await finish(id);
    },
  });

  function drop(id: string): void {
    store.drop(id);
    saved.forget(id);
    transfers.startNext();
  }

  async function addThumbnail(id: string, file: Blob): Promise<void> {
    try {
      const { blob, durationS, isReplacement } = await createThumbnail(file);
      store.change(id, {
        thumbnail: { state: "ready", blob, url: URL.createObjectURL(blob), isReplacement },
        durationS,
      });
    } catch {
      store.change(id, { thumbnail: { state: "none" } });
    }
    saved.save(id);
  }

  /** Sends the form last, because it creates the video. */
  async function finish(id: string): Promise<void> {
    const item = store.find(id);
    if (item === undefined) return;
    const stop = new AbortController();
    forms.set(id, stop);
    try {
      const video = await postForm(item, store, stop.signal);
      drop(id);
      onUploaded(video, item.form);
    } catch (error) {
      const isExpired = isInParts(item) && error instanceof ApiError && error.code === "not_found";
      store.change(id, {
        ...failedState(error),
        ...(isExpired ? { transfer: "failed", uploadUrl: null, sentBytes: 0 } : {}),
      });
      saved.save(id);
    } finally {
      forms.delete(id);
    }
  }

  return {
    subscribe: store.subscribe,
    items: store.items,

    /** Adds files. Large ones start uploading immediately. */
    add(files: readonly File[]): void {
      const added = files.map(newItem);
      store.add(added);
      for (const item of added) {
        if (item.file !== null) void addThumbnail(item.id, item.file);
        saved.save(item.id);
        saved.claim(item.id, item.file);
      }
      transfers.startNext();
    },

    edit(id: string, part: Partial<UploadForm>): void {
      const item = store.find(id);
      if (item === undefined) return;
      store.change(id, { form: { ...item.form, ...part } });
      saved.saveSoon(id);
    },

    /** Replaces the generated thumbnail by another frame. */
    setThumbnail(id: string, blob: Blob): void {
      const before = store.find(id)?.thumbnail;
      if (before?.state !== "ready") return;
      const url = URL.createObjectURL(blob);
      store.change(id, { thumbnail: { ...before, blob, url, isChosen: true } });
      saved.save(id);
    },

    /**
     * Supplies the file again after the browser has lost it. Returns false if it is a different
     * file. A new size is accepted unless the server has received a part.
     */
    giveFile(id: string, file: File): boolean {
      const item = store.find(id);
      if (item === undefined || file.name !== item.name) return false;
      const { sizeBytes, transfer } = newItem(file);
      const isChanged = sizeBytes !== item.sizeBytes;
      if (isChanged && item.uploadUrl !== null) return false;
      store.change(id, { file, sizeBytes, transfer, error: null });
      if (isChanged) void addThumbnail(id, file);
      saved.keepFile(id, file);
      saved.save(id);
      transfers.startNext();
      return true;
    },

    /** Removes a file and discards its uploaded bytes. */
    remove(id: string): void {
      const item = store.find(id);
      forms.get(id)?.abort();
      transfers.discard(id, item?.uploadUrl ?? null);
      drop(id);
    },

    /** Sends the form once all bytes have arrived. On failure the item stays with its `error`. */
    submit(id: string): void {
      const item = store.find(id);
      if (item === undefined || item.phase !== "editing") return;
      store.change(id, {
        phase: "sending",
        error: item.transfer === "waiting" ? item.error : null,
      });
      if (!isInParts(item) || item.transfer === "arrived") void finish(id);
      else if (item.transfer === "failed") {
        store.change(id, { transfer: "queued" });
        transfers.startNext();
      }
      saved.save(id);
    },

    /** Continues the uploads of a page that was reloaded or closed. */
    restore: (): Promise<void> => saved.restore(transfers.startNext),
  };
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** Posts the form with the id of the uploaded parts, or with the file itself. */
function postForm(item: UploadItem, store: ItemStore, signal: AbortSignal): Promise<Video> {
  const { id, file, sizeBytes, uploadUrl } = item;
  if (isInParts(item) && uploadUrl !== null) {
    store.change(id, { phase: "finishing" });
    return sendForm(item, { uploadId: uploadIdOf(uploadUrl) }, { signal });
  }
  if (file === null) return Promise.reject(new Error("The file is missing"));
  return sendForm(
    item,
    { file },
    {
      signal,
      onProgress: (sent, total) =>
        store.change(id, {
          sentBytes: Math.round((sent / total) * sizeBytes),
          phase: sent >= total ? "finishing" : "sending",
        }),
    },
  );
}
