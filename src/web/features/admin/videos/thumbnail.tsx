import { FilmIcon } from "lucide-react";
import { useState } from "react";
import { findThumbnailSet } from "#contract/videos/thumbnail-files.ts";
import { classNames } from "#web/components/ui/class-names.ts";
import { formatDuration } from "#web/lib/format/format.ts";

/** Thumbnail of a video with its duration, or a placeholder. */
export function Thumbnail({
  src,
  durationS,
  className,
}: {
  src: string | null;
  durationS: number;
  className?: string;
}) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <div
      className={classNames(
        "relative aspect-video shrink-0 overflow-hidden rounded-sm bg-ink-4",
        className,
      )}
    >
      {src === null || src === failed ? (
        <span className="flex size-full items-center justify-center text-ink-9">
          <FilmIcon aria-hidden="true" className="size-5" strokeWidth={1.5} />
        </span>
      ) : (
        <img
          src={src}
          srcSet={findThumbnailSet(src)?.webp}
          sizes="auto, 10rem"
          alt=""
          loading="lazy"
          className="size-full object-cover"
          onError={() => setFailed(src)}
        />
      )}
      <span className="tabular absolute inset-e-1 bottom-1 rounded-[4px] bg-video/85 px-1 text-xs leading-4 font-medium text-paper">
        {formatDuration(durationS)}
      </span>
    </div>
  );
}
