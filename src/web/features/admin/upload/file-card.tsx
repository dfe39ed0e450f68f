import { FilmIcon, XIcon } from "lucide-react";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { IconButton } from "../shared/icon-button.tsx";
import type { UploadItem } from "./queue/upload-item.ts";

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
