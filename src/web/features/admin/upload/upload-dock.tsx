import { ChevronUpIcon } from "lucide-react";
import { useSyncExternalStore } from "react";
import { percentOf } from "./queue/upload-item.ts";
import { useUploadItems, useUploads } from "./queue-context.tsx";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

const useIsOnline = () =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

const uploading = "Uploading...";

/** Shows running uploads while the wizard is closed. Can reopen the wizard. */
export function UploadDock() {
  const { isOpen, setOpen } = useUploads();
  const items = useUploadItems();
  const isOnline = useIsOnline();
  if (isOpen || items.length === 0) return null;
  const sent = items.reduce((sum, item) => sum + item.sentBytes, 0);
  const size = items.reduce((sum, item) => sum + item.sizeBytes, 0);
  const percent = percentOf({ sentBytes: sent, sizeBytes: size });
  const hasFailed = items.some((item) => item.error !== null);
  const [first] = items;
  const title = items.length === 1 ? first?.form.title || first?.name : `${items.length} uploads`;
  const isWaiting = !isOnline || items.some((item) => item.transfer === "waiting");
  const isUnsent = items.every((item) => item.phase === "editing");
  const state = hasFailed
    ? "Needs your attention"
    : isWaiting
      ? "Waiting for network"
      : isUnsent
        ? "Waiting for details"
        : items.some((item) => item.phase === "sending")
          ? uploading
          : "Processing...";
  return (
    <button
      type="button"
      data-end-bar
      className="upload-dock fixed z-30 flex items-center gap-3 rounded-lg bg-ink-3 p-3 text-start text-sm shadow-high ring-1 ring-line hover:bg-ink-4"
      onClick={() => setOpen(true)}
    >
      <span className="min-w-0 flex-1">
        <bdi className="one-line font-medium">{title}</bdi>
        <span className={hasFailed ? "text-danger-text" : "tabular block truncate text-ink-11"}>
          {/* Without the percentage, which screen readers would announce at each change. */}
          <span role="status">{state}</span>
          {state === uploading ? ` ${percent}%` : null}
        </span>
        <progress
          className="meter mt-1.5 block w-full!"
          max={100}
          value={percent}
          aria-label="Uploads"
        />
      </span>
      <ChevronUpIcon aria-hidden="true" className="size-4 text-ink-11" />
    </button>
  );
}
