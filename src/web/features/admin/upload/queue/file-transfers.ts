import { pageTokenHeaders } from "#web/lib/page-token.ts";
import { failureText } from "../../shared/failure-text.ts";
import { startTransfer, type PartTransfer } from "./part-transfer.ts";
import type { UploadItem, ItemStore } from "./upload-item.ts";

/** Maximum number of concurrent uploads. The others wait. */
const maxConcurrent = 2;

/** Transfers large files in parts, two files at a time. */
export function createFileTransfers(
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
      onProgress: (sentBytes) => store.change(id, { sentBytes, transfer: "running" }),
      onWaiting: () => store.change(id, { transfer: "waiting" }),
    });
    transfers.set(id, transfer);
    try {
      await transfer.done;
      transfers.delete(id);
      store.change(id, { transfer: "arrived", sentBytes: item.sizeBytes });
      await options.onArrived(id);
    } catch (error) {
      transfers.delete(id);
      // The user removed the file, so there is nothing to report.
      if (error instanceof DOMException && error.name === "AbortError") return;
      store.change(id, {
        transfer: "failed",
        phase: "editing",
        uploadUrl: null,
        sentBytes: 0,
        error: failureText("Upload failed", error),
      });
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
