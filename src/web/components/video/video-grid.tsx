import type { Ref } from "react";
import { limits } from "#contract/limits.ts";
import type { CardVideo } from "#web/lib/lists/card-video.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { Skeleton } from "../ui/states.tsx";
import { SaveButton, VideoCard } from "./video-card.tsx";

const messages = inLanguage("videos");

/** Two columns, three on small screens and up, four on medium screens and up. */
export const gridClass =
  "grid grid-cols-2 gap-x-3 gap-y-6 sm:grid-cols-3 sm:gap-x-4 md:grid-cols-4 xl:gap-x-5";

/**
 * Number of thumbnails on the first screen, which are loaded immediately. Others are loaded while
 * scrolling.
 */
const eagerCards = 4;

interface VideoGridProps {
  videos: readonly CardVideo[];
  label?: string;
  /** Number of cards to reserve space for, so that loading more doesn't shift the page. */
  reserved?: number;
  /** Element of the first reserved space. */
  reservedRef?: Ref<HTMLLIElement>;
  /** Searches whose words are highlighted in titles. */
  searches?: readonly string[] | undefined;
}

export function VideoGrid({ videos, label, reserved = 0, reservedRef, searches }: VideoGridProps) {
  const hasReasons = videos.some(({ why }) => why !== null);
  return (
    <ul aria-label={label} className={gridClass} data-has-reasons={hasReasons ? "" : undefined}>
      {videos.map((video, index) => (
        <li key={video.slug} className="relative min-w-0">
          <VideoCard video={video} isEager={index < eagerCards} searches={searches} />
          <SaveButton video={video} />
        </li>
      ))}
      {Array.from({ length: reserved }, (_, index) => (
        <li
          // Keys are positions, so the remaining placeholders don't move.
          key={videos.length + index}
          ref={index === 0 ? reservedRef : undefined}
          aria-hidden="true"
          className="card-space"
        >
          <span className="card-texts" />
        </li>
      ))}
    </ul>
  );
}

/** Skeletons in the layout of the grid. */
export function VideoGridSkeleton({ count = limits.publicPageSize }: { count?: number }) {
  return (
    <div role="status" aria-label={messages.loadingVideos} className={gridClass}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} data-skeleton-card="">
          <Skeleton className="aspect-video w-full rounded-md" />
          <div className="card-texts">
            <Skeleton className="mt-0.5 h-4 w-11/12" />
            <Skeleton className="mt-2 h-3 w-1/2" />
            <Skeleton className="mt-2 h-3 w-2/3" />
          </div>
        </div>
      ))}
    </div>
  );
}
