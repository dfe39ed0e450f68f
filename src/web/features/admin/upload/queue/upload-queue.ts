import type { Video } from "#contract/videos/videos.ts";
import { failureText } from "../../shared/failure-text.ts";
import { uploadMessages as messages } from "../messages.ts";
import { startTransfer, uploadIdOf, type PartTransfer } from "./part-transfer.ts";
import { sendForm } from "./send-form.ts";
import { lockUpload } from "./tab-lock.ts";
import { isInParts, type UploadForm, type UploadItem } from "./upload-item.ts";
import { createItemStore } from "./item-store.ts";
import { itemOf, newItem, rememberedOf } from "./upload-records.ts";
import type { RememberedUpload, UploadMemory } from "./upload-memory.ts";
import { createThumbnail } from "../video-thumbnail.ts";

/** Uploads of the back office. They continue while the user changes pages. */
export interface UploadQueue {
  subscribe(listener: () => void): () => void;
  items(): readonly UploadItem[];
  /** Adds files; large ones start to upload at once. */
  add(files: readonly File[]): void;
  edit(id: string, change: Partial<UploadForm>): void;
  /** Supplies the file again after a reload. False if it is a different file. */
  giveFile(id: string, file: File): boolean;
  /** Removes a file and discards its uploaded bytes. */
  remove(id: string): void;
  /** Sends the form once all bytes have arrived. On failure the item stays with its `error`. */
  submit(id: string): void;
  /** Continues uploads that a reload interrupted. */
  restore(): Promise<void>;
}

/** Concurrent uploads; the others wait. */
const maxConcurrent = 2;
/** A form is saved after this long without input. */
const rememberAfterMs = 400;

export function createUploadQueue(
  memory: UploadMemory,
  onUploaded: (video: Video, form: UploadForm) => void,
): UploadQueue {
  const store = createItemStore();
  const transfers = new Map<string, PartTransfer>();
  const forms = new Map<string, AbortController>();
  const locks = new Map<string, () => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function remember(id: string): void {
    clearTimeout(timers.get(id));
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        const item = store.find(id);
        if (item !== undefined) void memory.save(rememberedOf(item));
      }, rememberAfterMs),
    );
  }

  function drop(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    store.drop(id);
    locks.get(id)?.();
    locks.delete(id);
    void memory.remove(id);
    startNext();
  }

  async function addThumbnail(id: string, file: Blob): Promise<void> {
    try {
      const { blob, durationS } = await createThumbnail(file);
      store.change(id, {
        thumbnail: { state: "ready", blob, url: URL.createObjectURL(blob) },
        durationS,
      });
    } catch {
      store.change(id, { thumbnail: { state: "none" } });
    }
    remember(id);
  }

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
        remember(id);
      },
      onProgress: (sentBytes) => store.change(id, { sentBytes, transfer: "running" }),
      onWaiting: () => store.change(id, { transfer: "waiting" }),
    });
    transfers.set(id, transfer);
    try {
      await transfer.done;
      transfers.delete(id);
      store.change(id, { transfer: "arrived", sentBytes: item.sizeBytes });
      if (store.find(id)?.phase === "sending") await finish(id);
    } catch (error) {
      transfers.delete(id);
      // The user removed it: nothing to report.
      if (error instanceof DOMException && error.name === "AbortError") return;
      store.change(id, {
        transfer: "failed",
        phase: "editing",
        uploadUrl: null,
        sentBytes: 0,
        error: failureText(messages.failed, error),
      });
      remember(id);
    }
    startNext();
  }

  /** The form is sent last: it creates the video. */
  async function finish(id: string): Promise<void> {
    const item = store.find(id);
    if (item === undefined) return;
    const stop = new AbortController();
    forms.set(id, stop);
    try {
      const video = await post(item, stop.signal);
      drop(id);
      onUploaded(video, item.form);
    } catch (error) {
      store.change(id, { phase: "editing", error: failureText(messages.failed, error) });
      remember(id);
    } finally {
      forms.delete(id);
    }
  }

  function post(item: UploadItem, signal: AbortSignal): Promise<Video> {
    const { id, file, sizeBytes, uploadUrl } = item;
    if (isInParts(item) && uploadUrl !== null) {
      store.change(id, { phase: "finishing" });
      return sendForm(item, { uploadId: uploadIdOf(uploadUrl) }, { signal });
    }
    if (file === null) return Promise.reject(new Error("The file is not there"));
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

  async function takeOver(upload: RememberedUpload, file: Blob | null): Promise<void> {
    const release = await lockUpload(upload.id);
    // Another tab continues it.
    if (release === null || store.find(upload.id) !== undefined) return;
    locks.set(upload.id, release);
    store.add([itemOf(upload, file)]);
  }

  return {
    subscribe: store.subscribe,
    items: store.items,

    add(files) {
      const added = files.map(newItem);
      store.add(added);
      for (const item of added) {
        if (item.file !== null) void addThumbnail(item.id, item.file);
        remember(item.id);
        if (item.file !== null) void memory.keepFile(item.id, item.file);
        void lockUpload(item.id).then((release) => {
          if (release !== null) locks.set(item.id, release);
        });
      }
      startNext();
    },

    edit(id, part) {
      const item = store.find(id);
      if (item === undefined) return;
      store.change(id, { form: { ...item.form, ...part } });
      remember(id);
    },

    giveFile(id, file) {
      const item = store.find(id);
      if (item === undefined || file.size !== item.sizeBytes || file.name !== item.name)
        return false;
      store.change(id, { file, transfer: isInParts(item) ? "queued" : "with-form", error: null });
      void memory.keepFile(id, file);
      remember(id);
      startNext();
      return true;
    },

    remove(id) {
      const item = store.find(id);
      forms.get(id)?.abort();
      const running = transfers.get(id);
      transfers.delete(id);
      if (running !== undefined) void running.stop(true);
      else if (item?.uploadUrl != null) void discard(item.uploadUrl);
      drop(id);
    },

    submit(id) {
      const item = store.find(id);
      if (item === undefined || item.phase !== "editing") return;
      store.change(id, { phase: "sending", error: null });
      if (!isInParts(item) || item.transfer === "arrived") void finish(id);
      else if (item.transfer === "failed") {
        store.change(id, { transfer: "queued" });
        startNext();
      }
      remember(id);
    },

    async restore() {
      for (const { upload, file } of await memory.list()) await takeOver(upload, file);
      startNext();
    },
  };
}

/** Deletes unneeded bytes on the server, which otherwise expire after some days. */
async function discard(uploadUrl: string): Promise<void> {
  const headers = { "tus-resumable": "1.0.0" };
  await fetch(uploadUrl, { method: "DELETE", headers, keepalive: true }).catch(() => undefined);
}
