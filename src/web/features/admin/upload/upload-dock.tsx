import { ChevronUpIcon } from "lucide-react";
import { uploadMessages as messages } from "./messages.ts";
import { percentOf } from "./queue/upload-item.ts";
import { useUploadItems, useUploads } from "./queue-context.tsx";

/** Shows running uploads while the wizard is closed, and opens it again. */
export function UploadDock() {
  const { isOpen, setOpen } = useUploads();
  const items = useUploadItems();
  if (isOpen || items.length === 0) return null;
  const sent = items.reduce((sum, item) => sum + item.sentBytes, 0);
  const size = items.reduce((sum, item) => sum + item.sizeBytes, 0);
  const percent = percentOf({ sentBytes: sent, sizeBytes: size });
  const hasFailed = items.some((item) => item.error !== null);
  const title = items.length === 1 ? (items[0]?.form.title ?? "") : `${items.length} uploads`;
  return (
    <button
      type="button"
      className="upload-dock fixed z-30 flex items-center gap-3 rounded-lg bg-ink-3 p-3 text-left text-sm shadow-high ring-1 ring-line hover:bg-ink-4"
      onClick={() => setOpen(true)}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className={hasFailed ? "text-danger-text" : "tabular text-ink-11"}>
          {hasFailed ? messages.needsAttention : `${messages.uploading} ${percent}%`}
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
