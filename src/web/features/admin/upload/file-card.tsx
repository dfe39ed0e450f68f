import { FilmIcon, XIcon } from "lucide-react";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { IconButton } from "../shared/icon-button.tsx";
import { FileButton } from "../shared/file-button.tsx";
import { notify } from "../shared/notices.tsx";
import { percentOf, type UploadItem } from "./queue/upload-item.ts";
import { useUploads } from "./queue-context.tsx";

export function ThumbnailPicture({ item, className }: { item: UploadItem; className: string }) {
  const { thumbnail } = item;
  return (
    <div className={`aspect-video shrink-0 overflow-hidden rounded-sm bg-ink-4 ${className}`}>
      {thumbnail.state === "ready" ? (
        <img
          src={thumbnail.url}
          alt={`Thumbnail for ${item.name}`}
          className="size-full object-cover"
        />
      ) : thumbnail.state === "loading" ? (
        <Skeleton className="size-full" />
      ) : (
        <span className="flex size-full items-center justify-center text-ink-9">
          <FilmIcon aria-hidden="true" className="size-5" />
        </span>
      )}
    </div>
  );
}

/** Chosen file: thumbnail, name, size, type, and a button that removes it. */
export function FileCard({ item, onRemove }: { item: UploadItem; onRemove?: () => void }) {
  return (
    <div className="flex items-center gap-3 rounded-md bg-ink-3 p-3">
      <ThumbnailPicture item={item} className="w-32 max-sm:w-24" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{item.name}</p>
        <p className="tabular text-ink-11">
          {formatFileSize(item.sizeBytes)}
          {item.type === "" ? "" : ` · ${item.type}`}
        </p>
        {item.thumbnail.state === "none" ? (
          <p className="text-ink-11">
            Your browser can't preview this file. The server will create a thumbnail.
          </p>
        ) : null}
      </div>
      {onRemove === undefined ? null : (
        <IconButton
          Icon={XIcon}
          name="Remove file"
          label={`Remove file ${item.name}`}
          onClick={onRemove}
        />
      )}
    </div>
  );
}

const connectionLost = "Connection lost. The upload resumes when you're back online.";

/** Describes the state of the upload while the form is open. */
export function backgroundNote(item: UploadItem): string | null {
  switch (item.transfer) {
    case "queued":
      return "Queued";
    case "running":
      return `${percentOf(item)}% uploaded in the background`;
    case "waiting":
      return item.error === null ? connectionLost : null;
    case "arrived":
      return "File uploaded";
    default:
      return null;
  }
}

/** Progress bar from submitting the form until the video exists. */
export function SubmitProgress({ item }: { item: UploadItem }) {
  if (item.phase === "editing") return null;
  const percent = percentOf(item);
  const isLost = item.transfer === "waiting" && item.error === null;
  const text =
    item.phase === "finishing" ? "Processing video and generating thumbnail..." : "Uploading...";
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-4">
        <span role="status">{text}</span>
        <span className="tabular">{`${percent}%`}</span>
      </div>
      <progress
        className="meter w-full!"
        max={100}
        value={percent}
        aria-label={`Upload progress for ${item.name}`}
      />
      {isLost ? <p className="mt-1.5 text-ink-11">{connectionLost}</p> : null}
    </div>
  );
}

/**
 * Shows the failure, or why the upload waits. If the browser lost the file, a button lets the user
 * choose it again.
 */
export function FileTrouble({ item }: { item: UploadItem }) {
  const { queue } = useUploads();
  if (item.error === null) return null;
  return (
    <div role="alert" className="rounded-md bg-danger-soft p-3 text-danger-text">
      <p>{item.error}</p>
      {item.file !== null ? null : (
        <FileButton
          label="Choose File"
          accept="video/*"
          size="small"
          className="mt-2"
          onFile={(file) => {
            if (!queue.giveFile(item.id, file)) {
              notify.failure(`That's a different file. Choose "${item.name}" to resume.`);
            }
          }}
        />
      )}
    </div>
  );
}
