import { withoutTicket } from "#contract/accounts/page-token.ts";
import { useSyncExternalStore } from "react";
import type { LabelKind } from "#contract/lists/labels.ts";
import { visibleOrEmpty } from "#contract/text.ts";
import {
  deviceKeys,
  dropRefused,
  followsKey,
  libraryKey,
  readStored,
  writeStored,
} from "../device-storage.ts";
import { keepOffline, stopOffline } from "./keep-offline.ts";
import {
  addFollow,
  addVideo,
  emptyLibrary,
  isSameFollow,
  mergeLibraries,
  parseLibrary,
  renameIn,
  type Follow,
  type KeptVideo,
  keptMax,
  playlistNameMax,
  playlistsMax,
  type LibraryData,
  type Playlist,
} from "./library-data.ts";

let data: LibraryData | null = null;

const read = (): LibraryData => parseLibrary(readStored(libraryKey));

const listeners = new Set<() => void>();

function replace(next: LibraryData): void {
  data = next;
  document.documentElement.toggleAttribute("data-follows", next.follows.length > 0);
  for (const listener of [...listeners]) listener();
}

if (typeof window !== "undefined") {
  window.addEventListener("storage", ({ key }) => {
    if (key !== libraryKey && key !== null) return;
    // Changes from another tab replace changes that only this tab has.
    dropRefused(libraryKey);
    replace(read());
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * @returns whether the browser has stored the change. If not, it lasts until the page is closed.
 */
function change(patch: Partial<LibraryData>): boolean {
  // Another tab may have changed the library meanwhile.
  const next = { ...read(), ...patch };
  const isStored = writeStored(libraryKey, JSON.stringify(next));
  if (isStored) {
    // theme-boot.ts reads this key before the first paint of the home page.
    writeStored(followsKey, next.follows.length > 0 ? "1" : null);
    if (next.later.length + next.playlists.length > 0) keepOffline();
  }
  replace(next);
  return isStored;
}

type Watchable = Omit<KeptVideo, "atMs">;

const kept = ({ slug, title, thumbnail, isSensitive, durationS }: Watchable): KeptVideo => ({
  slug,
  title,
  thumbnail: withoutTicket(thumbnail),
  isSensitive,
  durationS,
  atMs: Date.now(),
});

function changePlaylist(id: string, next: (playlist: Playlist) => Playlist): boolean {
  const { playlists } = read();
  return change({ playlists: playlists.map((list) => (list.id === id ? next(list) : list)) });
}

const nameOf = (typed: string) =>
  [...visibleOrEmpty(typed.toWellFormed())].slice(0, playlistNameMax).join("");

/** Visitor library of this browser. Most methods return whether the browser stored the change. */
export const library = {
  get: (): LibraryData => (data ??= read()),
  subscribe,
  noteWatched: (video: Watchable) => change({ history: addVideo(read().history, kept(video)) }),
  addLater: (video: Watchable) => change({ later: addVideo(read().later, kept(video)) }),
  toggleFollow(follow: Follow): boolean {
    const { follows } = read();
    const rest = follows.filter((other) => !isSameFollow(other, follow));
    return change({ follows: rest.length < follows.length ? rest : addFollow(follows, follow) });
  },
  forgetVideo: (list: "history" | "later", slug: string) =>
    change({ [list]: read()[list].filter((video) => video.slug !== slug) }),
  /** Adds a list before all others. @returns null if the limit is reached. */
  createPlaylist(name: string): { id: string; isStored: boolean } | null {
    const { playlists } = read();
    if (playlists.length >= playlistsMax) return null;
    const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
    const list = { id, name: nameOf(name), videos: [] };
    return { id, isStored: change({ playlists: [list, ...playlists] }) };
  },
  renamePlaylist: (id: string, name: string) =>
    changePlaylist(id, (list) => ({ ...list, name: nameOf(name) })),
  deletePlaylist: (id: string) =>
    change({ playlists: read().playlists.filter((list) => list.id !== id) }),
  /** Appends a video to the list, unless the list contains it. @returns null if the list is full. */
  addToPlaylist(id: string, video: Watchable): boolean | null {
    const { videos = [] } = read().playlists.find((list) => list.id === id) ?? {};
    if (videos.some(({ slug }) => slug === video.slug)) return true;
    if (videos.length >= keptMax) return null;
    return changePlaylist(id, (list) => ({ ...list, videos: [...list.videos, kept(video)] }));
  },
  removeFromPlaylist: (id: string, slug: string) =>
    changePlaylist(id, (list) => ({
      ...list,
      videos: list.videos.filter((video) => video.slug !== slug),
    })),
  /** Updates a video, or a label of `kind`, whose URL has changed. */
  rename(from: string, to: { slug: string; name?: string }, kind?: LabelKind): void {
    const before = read();
    const renamed = <Item extends { slug: string; kind?: LabelKind }>(items: readonly Item[]) =>
      renameIn(items, from, to, kind);
    const next = {
      history: renamed(before.history),
      later: renamed(before.later),
      follows: renamed(before.follows),
      playlists: before.playlists.map((list) => ({ ...list, videos: renamed(list.videos) })),
    };
    if (JSON.stringify(next) !== JSON.stringify(before)) change(next);
  },
  /** Moves one place up (-1) or down (1). */
  movePlaylistVideo: (id: string, slug: string, by: 1 | -1) =>
    changePlaylist(id, (list) => {
      const from = list.videos.findIndex((video) => video.slug === slug);
      const [moved, other] = [list.videos[from], list.videos[from + by]];
      if (moved === undefined || other === undefined) return list;
      return { ...list, videos: list.videos.with(from, other).with(from + by, moved) };
    }),
  clearHistory: () => change({ history: [] }),
  /** Removes everything that this site stores in this browser, including settings. */
  forget() {
    for (const name of deviceKeys) writeStored(name, null);
    stopOffline().catch(console.warn);
    replace(emptyLibrary);
  },
  add: (other: LibraryData) => change(mergeLibraries(read(), other)),
};

/** Returns the library to show. Empty on the server and during hydration. */
export function useLibrary(): LibraryData {
  return useSyncExternalStore(subscribe, library.get, () => emptyLibrary);
}
