import { useCallback, useState } from "react";
import { limits } from "#contract/limits.ts";
import { findThumbnailSet } from "#contract/videos/thumbnail-files.ts";
import { SiteMark } from "../ui/wordmark.tsx";
import { classNames } from "../ui/class-names.ts";

/** Shown if the thumbnail is missing or can't be loaded. */
function PlaceholderImage() {
  return (
    <span
      data-placeholder=""
      className="absolute inset-0 flex items-center justify-center bg-ink-3 text-ink-7"
    >
      <SiteMark isQuiet className="size-1/4 max-w-16" />
    </span>
  );
}

/** Width of a card in the widest lists. Lazy images get their real width. */
const cardWidth = "(min-width: 48rem) 25vw, 50vw";

/** 16:9 thumbnail with reserved space. Use `isEager` on the first screen. */
export function Thumbnail({
  src,
  isEager = false,
  className,
}: {
  src: string | null;
  isEager?: boolean;
  className?: string;
}) {
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null);
  // The image may have failed before hydration.
  const check = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete === true && image.naturalWidth === 0)
      setBrokenSrc(image.getAttribute("src"));
  }, []);
  if (src === null || src === brokenSrc) return <PlaceholderImage />;
  const set = findThumbnailSet(src);
  const sizes = set === null ? undefined : isEager ? cardWidth : `auto, ${cardWidth}`;
  return (
    <picture>
      {set === null ? null : <source type="image/avif" srcSet={set.avif} sizes={sizes} />}
      <img
        ref={check}
        src={src}
        alt=""
        width={limits.thumbnailWidth}
        height={limits.thumbnailHeight}
        loading={isEager ? "eager" : "lazy"}
        decoding="async"
        fetchPriority={isEager ? "high" : undefined}
        onError={() => setBrokenSrc(src)}
        srcSet={set?.webp}
        sizes={sizes}
        className={classNames("absolute inset-0 size-full object-cover", className)}
      />
    </picture>
  );
}
