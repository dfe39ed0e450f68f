import { useSyncExternalStore } from "react";
import {
  addFollow,
  addVideo,
  emptyLibrary,
  isSameFollow,
  mergeLibraries,
  parseLibrary,
  type Follow,
  type KeptVideo,
  type LibraryData,
} from "./library-data.ts";

export const libraryKey = "kinora.library";

function read(): LibraryData {
  try {
    return parseLibrary(localStorage.getItem(libraryKey));
  } catch {
    return emptyLibrary;
  }
}

let data: LibraryData | null = null;
const listeners = new Set<() => void>();

function replace(next: LibraryData): void {
  data = next;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  const followOtherTabs = ({ key }: StorageEvent) => {
    if (key === libraryKey || key === null) replace(read());
  };
  listeners.add(listener);
  window.addEventListener("storage", followOtherTabs);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", followOtherTabs);
  };
}

function change(patch: Partial<LibraryData>): void {
  // Another tab may have written since.
  const next = { ...read(), ...patch };
  try {
    localStorage.setItem(libraryKey, JSON.stringify(next));
  } catch {
    // Kept until the page is closed.
  }
  replace(next);
}

type Watchable = Omit<KeptVideo, "atMs">;

const kept = ({ slug, title, thumbnail, durationS }: Watchable): KeptVideo => ({
  slug,
  title,
  thumbnail,
  durationS,
  atMs: Date.now(),
});

/** The library of this browser, for everything on the page that shows or changes it. */
export const library = {
  get: (): LibraryData => (data ??= read()),
  subscribe,
  noteWatched: (video: Watchable) => change({ history: addVideo(read().history, kept(video)) }),
  toggleLater(video: Watchable) {
    const { later } = read();
    const rest = later.filter(({ slug }) => slug !== video.slug);
    change({ later: rest.length < later.length ? rest : addVideo(later, kept(video)) });
  },
  toggleFollow(follow: Follow) {
    const { follows } = read();
    const rest = follows.filter((other) => !isSameFollow(other, follow));
    change({ follows: rest.length < follows.length ? rest : addFollow(follows, follow) });
  },
  forgetVideo: (list: "history" | "later", slug: string) =>
    change({ [list]: read()[list].filter((video) => video.slug !== slug) }),
  clearHistory: () => change({ history: [] }),
  /** Everything that this site keeps in this browser, settings included. */
  forget() {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith("kinora.")) localStorage.removeItem(name);
    }
    replace(emptyLibrary);
  },
  add: (other: LibraryData) => change(mergeLibraries(read(), other)),
};

/** The library on the screen: empty on the server and while the page hydrates. */
export function useLibrary(): LibraryData {
  return useSyncExternalStore(subscribe, library.get, () => emptyLibrary);
}
