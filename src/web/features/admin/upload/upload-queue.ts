import type { Video } from "../../../../contract/videos.ts";
import { failureText } from "../shared/failure-text.ts";
import { uploadMessages as messages } from "./messages.ts";
import { startTransfer, uploadIdOf, type PartTransfer } from "./part-transfer.ts";
import { sendForm } from "./send-form.ts";
import { lockUpload } from "./tab-lock.ts";
import {
  blankForm,
  isInParts,
  partsAboveBytes,
  type UploadForm,
  type UploadItem,
} from "./upload-item.ts";
import { createItemStore } from "./item-store.ts";
import type { RememberedUpload, UploadMemory } from "./upload-memory.ts";
import { makeStill } from "./video-still.ts";

/** Files on their way, for every page of the back office: they go on while one walks about. */
export interface UploadQueue {
  subscribe(listener: () => void): () => void;
  items(): readonly UploadItem[];
  /** Takes files in; large ones start to travel at once. */
  add(files: readonly File[]): void;
  edit(id: string, change: Partial<UploadForm>): void;
  /** After a reload without the file: hands it over again. False where it is another one. */
  giveFile(id: string, file: File): boolean;
  /** Takes a file out: what was sent of it is thrown away. */
  remove(id: string): void;
  /** Sends the form once the bytes are there. Where it fails, `error` says why and it stays. */
  submit(id: string): void;
  /** Goes on with what a reload interrupted. */
  restore(): Promise<void>;
}

/** Files that travel at the same time; the others wait. */
const mostAtOnce = 2;
/** A form that is typed in is remembered after so much quiet. */
const rememberAfterMs = 400;

export function createUploadQueue(
  memory: UploadMemory,
  onUploaded: (video: Video) => void,
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
        if (item !== undefined && isInParts(item)) void memory.save(rememberedOf(item));
      }, rememberAfterMs),
    );
  }

  function forget(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    store.drop(id);
    locks.get(id)?.();
    locks.delete(id);
    void memory.forget(id);
    startNext();
  }

  async function draw(id: string, file: Blob): Promise<void> {
    try {
      const { blob, durationS } = await makeStill(file);
      store.change(id, {
        thumbnail: { state: "made", blob, url: URL.createObjectURL(blob) },
        durationS,
      });
    } catch {
      store.change(id, { thumbnail: { state: "none" } });
    }
    remember(id);
  }

  function startNext(): void {
    const waiting = store.items().filter(({ transfer }) => transfer === "queued");
    for (const item of waiting.slice(0, Math.max(0, mostAtOnce - transfers.size))) {
      void travel(item);
    }
  }

  async function travel(item: UploadItem): Promise<void> {
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
      // Taken out by the person: nothing to tell.
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

  /** The form goes last: with it the video exists. */
  async function finish(id: string): Promise<void> {
    const item = store.find(id);
    if (item === undefined) return;
    const stop = new AbortController();
    forms.set(id, stop);
    try {
      const video = await post(item, stop.signal);
      forget(id);
      onUploaded(video);
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
    // Another window is at it.
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
        if (item.file !== null) void draw(item.id, item.file);
        if (!isInParts(item)) continue;
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
      store.change(id, { file, transfer: "queued", error: null });
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
      forget(id);
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

function newItem(file: File): UploadItem {
  return {
    id: crypto.randomUUID(),
    file,
    name: file.name,
    sizeBytes: file.size,
    type: file.type,
    thumbnail: { state: "making" },
    durationS: null,
    form: blankForm,
    phase: "editing",
    transfer: file.size > partsAboveBytes ? "queued" : "with-form",
    sentBytes: 0,
    uploadUrl: null,
    error: null,
  };
}

function rememberedOf(item: UploadItem): RememberedUpload {
  const { id, name, sizeBytes, type, thumbnail, durationS, form, uploadUrl, phase } = item;
  return {
    id,
    name,
    sizeBytes,
    type,
    still: thumbnail.state === "made" ? thumbnail.blob : null,
    durationS,
    form,
    uploadUrl,
    isSubmitted: phase !== "editing",
  };
}

function itemOf(upload: RememberedUpload, file: Blob | null): UploadItem {
  const { still, isSubmitted, ...rest } = upload;
  return {
    ...rest,
    file,
    thumbnail:
      still === null
        ? { state: "none" }
        : { state: "made", blob: still, url: URL.createObjectURL(still) },
    phase: isSubmitted && file !== null ? "sending" : "editing",
    transfer: file === null ? "failed" : "queued",
    sentBytes: 0,
    error: file === null ? messages.chooseAgain : null,
  };
}

/** Tells the server to forget bytes that nobody needs; it would do so itself after some days. */
async function discard(uploadUrl: string): Promise<void> {
  const headers = { "tus-resumable": "1.0.0" };
  await fetch(uploadUrl, { method: "DELETE", headers, keepalive: true }).catch(() => undefined);
}
