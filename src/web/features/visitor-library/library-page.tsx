import { useState, type ReactNode } from "react";
import { reportIfLost } from "#web/components/save/report-lost.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { toast } from "#web/components/ui/toast.tsx";
import { FavoriteList } from "#web/features/favorites/favorite-list.tsx";
import { useFavorites } from "#web/features/favorites/use-favorites.ts";
import { useIsHydrated } from "#web/lib/hydration-phase.ts";
import { library, useLibrary } from "#web/lib/visitor-library/library.ts";
import { pageHandle } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { FileButtons } from "./components/file-buttons.tsx";
import {
  LibraryTabs,
  useLibraryPart,
  type LibraryPart,
} from "#web/components/site/library-tabs.tsx";
import { Playlists } from "./components/playlists.tsx";
import { MoveSection } from "./components/move-section.tsx";
import { focusItem, focusNextItem } from "#web/lib/focus-next-item.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { DurationPill } from "#web/components/video/card-notes.tsx";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { gridClass } from "#web/components/video/video-grid.tsx";
import { videoHref } from "#web/lib/lists/card-video.ts";
import type { KeptVideo } from "#web/lib/visitor-library/library-data.ts";

const favoritesMessages = inLanguage("favorites");
const messages = inLanguage("library");

/** Lists videos that are saved in this browser. Each has a button that removes it. */
export function KeptVideos({
  videos,
  empty,
  onRemove,
}: {
  videos: readonly KeptVideo[];
  empty: string;
  onRemove: (slug: string) => void;
}) {
  if (videos.length === 0) return <p className="text-sm text-ink-11">{empty}</p>;
  return (
    <ul className={gridClass}>
      {videos.map(({ slug, title, thumbnail, isSensitive, durationS }) => (
        <li key={slug} className="flex min-w-0 flex-col">
          <a href={pagePath(videoHref(slug))} className="group block rounded-md">
            <span className="relative block aspect-video overflow-hidden rounded-md bg-ink-3">
              <Thumbnail src={thumbnail} className={isSensitive ? "blur-xl" : undefined} />
              <DurationPill durationS={durationS} />
            </span>
            <bdi className="title-lines mt-2 text-sm font-medium group-hover:text-lamp-text">
              {title}
            </bdi>
          </a>
          <button
            type="button"
            aria-label={messages.removeVideo(title)}
            onClick={() => {
              focusNextItem();
              onRemove(slug);
            }}
            className="-ms-2 mt-auto flex min-h-11 items-center self-start rounded-md px-2 text-xs font-medium text-ink-11 hover:text-ink-12 hover:underline"
          >
            {messages.remove}
          </button>
        </li>
      ))}
    </ul>
  );
}

export const handle = pageHandle({
  query: [],
  head: ({ site }) => ({
    title: siteTitle(messages.title, site),
    description: messages.intro,
    meta: [
      { name: "robots", content: "noindex" },
      // public/offline.js shows this page when the browser is offline.
      {
        name: "offline",
        content: [messages.offline, messages.offlineText, messages.tryAgain, messages.title].join(
          "|",
        ),
      },
    ],
  }),
});

/** Part of the page. Hidden while another tab is selected. */
function Section(props: { name: LibraryPart | null; title: string; children: ReactNode }) {
  const { name, title, children } = props;
  const part = useLibraryPart();
  if (part !== null && part !== name) return null;
  return (
    <section aria-label={title} className="mb-10">
      <h2 className="mb-4 text-lg font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}

function Follows() {
  const { follows } = useLibrary();
  if (follows.length === 0) return <p className="text-sm text-ink-11">{messages.followsEmpty}</p>;
  return (
    <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">
      {follows.map((follow) => {
        const href = `/${follow.kind}/${encodeURIComponent(follow.slug)}`;
        return (
          <li key={href} className="flex items-center gap-2 rounded-lg bg-ink-2 px-4 py-1">
            <a href={pagePath(href)} className="min-w-0 flex-1 py-3 font-medium hover:underline">
              <bdi className="title-lines">{follow.name}</bdi>
            </a>
            <a
              href={pagePath(`${href}/feed.rss`)}
              className="inline-flex min-h-11 items-center text-sm underline"
            >
              {messages.rss}
            </a>
            <Button
              kind="ghost"
              className="-me-3 px-3!"
              aria-label={messages.unfollow(follow.name)}
              onClick={() => {
                focusNextItem();
                reportIfLost(library.toggleFollow(follow));
              }}
            >
              {messages.unfollowShort}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function ForgetButton() {
  const [isAsked, setAsked] = useState(false);
  const forget = () => {
    library.forget();
    setAsked(false);
    toast.success(messages.forgotten);
  };
  return (
    <>
      <Button onClick={() => setAsked(true)}>{messages.forget}</Button>
      <Dialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={messages.forgetTitle}
        description={messages.forgetText}
        size="small"
        footer={
          <>
            <Button onClick={() => setAsked(false)}>{messages.cancel}</Button>
            <Button kind="danger" onClick={forget}>
              {messages.forget}
            </Button>
          </>
        }
      />
    </>
  );
}

/** Library page. It is the same for everyone, and its content comes from this browser. */
export function Component() {
  const { history, later, playlists } = useLibrary();
  // Shows nothing until the library is read, because everything would shift.
  const isRead = useIsHydrated();
  const part = useLibraryPart();
  const favorites = useFavorites(isRead && part === null);
  const isShown = isRead && (part !== null || favorites.phase !== "loading");
  return (
    <>
      <LibraryTabs />
      <PageHeading title={messages.title} intro={messages.intro} />
      <noscript>
        <p className="pb-6">{messages.noScripts}</p>
      </noscript>
      <div className={isShown ? undefined : "invisible min-h-screen"}>
        <Section name={null} title={favoritesMessages.title}>
          {favorites.isEmpty ? (
            <p className="text-sm text-ink-11">{favoritesMessages.emptyText}</p>
          ) : (
            <FavoriteList favorites={favorites} />
          )}
        </Section>
        <Section name="later" title={messages.later}>
          <KeptVideos
            videos={later}
            empty={messages.laterEmpty}
            onRemove={(slug) => reportIfLost(library.forgetVideo("later", slug))}
          />
        </Section>
        <Section name="playlists" title={messages.playlists}>
          <Playlists playlists={playlists} />
        </Section>
        <Section name="history" title={messages.history}>
          <KeptVideos
            videos={history}
            empty={messages.historyEmpty}
            onRemove={(slug) => reportIfLost(library.forgetVideo("history", slug))}
          />
          {history.length === 0 ? null : (
            <Button
              className="mt-4"
              onClick={() => {
                focusItem(null);
                reportIfLost(library.clearHistory());
              }}
            >
              {messages.clearHistory}
            </Button>
          )}
        </Section>
        <Section name="follows" title={messages.follows}>
          <Follows />
        </Section>
        <Section name={null} title={messages.move}>
          <MoveSection />
        </Section>
        {part === null ? (
          <div className="flex flex-wrap gap-3 pb-10">
            <FileButtons />
            <ForgetButton />
          </div>
        ) : null}
      </div>
    </>
  );
}
