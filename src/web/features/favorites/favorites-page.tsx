import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { EmptyState, ErrorState } from "#web/components/ui/states.tsx";
import { gridClass, VideoGridSkeleton } from "#web/components/video/video-grid.tsx";
import { SaveButton, VideoCard } from "#web/components/video/video-card.tsx";
import { LibraryTabs } from "#web/components/library/library-tabs.tsx";
import { pageHandle } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { useFavorites } from "./hooks/use-favorites.ts";
import { favoritesMessages as messages } from "./messages.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

export const handle = pageHandle({
  head: ({ site }) => ({
    title: siteTitle(messages.title, site),
    description: messages.intro,
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/** The page is cached for all visitors, so the browser requests the favourites. */
export function Component() {
  return (
    <>
      <PageHeading title={messages.title} intro={messages.intro} />
      <LibraryTabs />
      <noscript>
        <p className="pb-6">{messages.noScripts}</p>
      </noscript>
      <FavoriteList />
    </>
  );
}

function FavoriteList() {
  const { videos, total, phase, isLoadingMore, load, loadMore, remove } = useFavorites();
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
  if (videos.length === 0) {
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
      {videos.length >= total ? null : (
        <div className="mt-10 flex justify-center">
          <Button disabled={isLoadingMore} onClick={() => void loadMore()}>
            {isLoadingMore ? messages.loading : messages.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}
