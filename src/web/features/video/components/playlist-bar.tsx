import { ListVideoIcon, SkipBackIcon, SkipForwardIcon, XIcon } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { buttonClass } from "#web/components/ui/button.tsx";
import { renameIn, type Playlist } from "#web/lib/visitor-library/library-data.ts";
import { library, useLibrary } from "#web/lib/visitor-library/library.ts";
import {
  queueId,
  readQueue,
  writeQueue,
  type PlayQueue,
  type QueuedVideo,
} from "#web/lib/play-queue.ts";
import { playlistHref } from "#web/lib/visitor-library/playlist-href.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import type { NextVideo } from "#web/features/player/use-video-player.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("playlist");

/** Returns a playlist of this browser, or the queue of this tab. */
function findList(playlists: readonly Playlist[], listId: string): PlayQueue | undefined {
  if (listId === queueId) return readQueue() ?? undefined;
  const list = playlists.find(({ id }) => id === listId);
  return list && { ...list, href: "/library" };
}

/** Returns the position of a video in a list, or null if the list doesn't contain it. */
function findInPlaylist(playlists: readonly Playlist[], listId: string, slug: string) {
  const list = findList(playlists, listId);
  const at = list?.videos.findIndex((video) => video.slug === slug) ?? -1;
  if (list === undefined || at < 0) return null;
  return { list, at, before: list.videos[at - 1] ?? null, next: list.videos[at + 1] ?? null };
}

/** Replaces the slug of a video in the library and in the queue, because it has a new URL. */
export function renameInLists(from: string, slug: string): void {
  library.rename(from, { slug });
  const queue = readQueue();
  if (queue !== null) writeQueue({ ...queue, videos: renameIn(queue.videos, from, { slug }) });
}

function Step(props: {
  to: QueuedVideo | null;
  listId: string;
  nameOf: (title: string) => string;
  children: ReactNode;
}) {
  if (props.to === null) return null;
  return (
    <a
      href={pagePath(playlistHref(props.to.slug, props.listId))}
      aria-label={props.nameOf(props.to.title)}
      className={buttonClass({ kind: "ghost", isSquare: true })}
    >
      {props.children}
    </a>
  );
}

interface PlaylistBarProps {
  listId: string;
  slug: string;
  /** Called with the video that the playlist plays next, and with each change of it. */
  onNext: (next: NextVideo | null) => void;
}

/** Bar for the current playlist. It covers the lower edge of the page, so that nothing shifts. */
export function PlaylistBar({ listId, slug, onNext }: PlaylistBarProps) {
  const { playlists } = useLibrary();
  const found = findInPlaylist(playlists, listId, slug);
  useEffect(() => {
    const next = findInPlaylist(playlists, listId, slug)?.next ?? null;
    onNext(next === null ? null : { ...next, href: playlistHref(next.slug, listId) });
    return () => onNext(null);
  }, [playlists, listId, slug, onNext]);
  if (found === null) return null;
  const { list, at, before, next } = found;
  return (
    <section
      aria-label={messages.current}
      className="playlist-bar fixed bottom-[calc(var(--bottom-bar-height)+0.5rem)] inset-s-2 z-30 flex max-w-[calc(100vw-1rem)] items-center gap-1 rounded-lg bg-ink-3 py-1 pe-1 ps-4 text-sm shadow-high md:bottom-4 md:inset-s-4"
    >
      <ListVideoIcon className="size-5 shrink-0 text-lamp-text" />
      <a
        href={pagePath(list.href)}
        className="ms-2 flex min-h-11 min-w-0 items-center font-medium hover:underline"
      >
        <bdi className="truncate">{list.name}</bdi>
      </a>
      <span className="tabular shrink-0 px-2 text-ink-11">
        {messages.place(at + 1, list.videos.length)}
      </span>
      <Step to={before} listId={listId} nameOf={messages.previous}>
        <SkipBackIcon className="size-5 rtl:-scale-x-100" />
      </Step>
      <Step to={next} listId={listId} nameOf={messages.next}>
        <SkipForwardIcon className="size-5 rtl:-scale-x-100" />
      </Step>
      <a
        href={pagePath(videoHref(slug))}
        data-keep-scroll=""
        data-replace=""
        aria-label={messages.leave}
        className={buttonClass({ kind: "ghost", isSquare: true })}
      >
        <XIcon className="size-5" />
      </a>
    </section>
  );
}
