import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { EmptyState, ErrorState } from "#web/components/ui/states.tsx";
import { SaveButton, VideoCard } from "#web/components/video/video-card.tsx";
import { gridClass, VideoGridSkeleton } from "#web/components/video/video-grid.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import type { useFavorites } from "./use-favorites.ts";

const messages = inLanguage("favorites");

/** Shows this visitor's favorites, or the reason why there are none. */
export function FavoriteList({ favorites }: { favorites: ReturnType<typeof useFavorites> }) {
  const { videos, hasMore, isEmpty, phase, isLoadingMore, load, loadMore, remove } = favorites;
  if (phase === "loading") return <VideoGridSkeleton />;
  if (phase === "failed") {
    return (
      <ErrorState
        message={messages.failed}
        retryLabel={messages.tryAgain}
        onRetry={() => void load()}
      />
    );
  }
  if (isEmpty) {
    return (
      <EmptyState
        title={messages.emptyTitle}
        action={
          <a href={pagePath("/feed")} className={buttonClass({ kind: "primary" })}>
            {messages.toFeed}
          </a>
        }
      >
        {messages.emptyText}
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label={messages.listLabel} className={gridClass}>
        {videos.map((video, index) => (
          <li key={video.slug} className="relative flex min-w-0 flex-col">
            <VideoCard video={video} isEager={index < 4} />
            <SaveButton video={video} />
            <button
              type="button"
              aria-label={messages.removeFrom(video.title)}
              onClick={() => void remove(video)}
              className="-ms-2 mt-auto flex min-h-11 items-center self-start rounded-md px-2 text-xs font-medium text-ink-11 hover:text-ink-12 hover:underline"
            >
              {messages.remove}
            </button>
          </li>
        ))}
      </ul>
      {hasMore ? (
        <div className="mt-10 flex justify-center">
          <Button aria-disabled={isLoadingMore} onClick={() => void loadMore()}>
            {isLoadingMore ? messages.loading : messages.loadMore}
          </Button>
        </div>
      ) : null}
    </>
  );
}
