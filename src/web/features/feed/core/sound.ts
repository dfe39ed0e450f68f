import type { PreferenceStore } from "../../player/core/memory/preferences.ts";
import { createStore, type Store } from "../../../lib/store.ts";

/** One sound for the whole feed: off at the start, on for good once somebody turns it on. */
export interface FeedSound {
  readonly store: Pick<Store<{ isMuted: boolean }>, "get" | "subscribe">;
  /** Looks up what was chosen last time. */
  start(preferences: PreferenceStore, page: Document): void;
  setMuted(isMuted: boolean): void;
  /** The browser refuses sound: silent, but not by the visitor's wish. */
  silence(): void;
  stop(): void;
}

/**
 * A visitor who had the sound on last time gets it back with the first gesture: no browser allows
 * it sooner, and asking for it would stop the picture.
 */
export function createFeedSound(): FeedSound {
  const store = createStore({ isMuted: true });
  let gestures = new AbortController();
  let memory: PreferenceStore | null = null;

  return {
    store: { get: store.get, subscribe: store.subscribe },
    start(preferences, page) {
      memory = preferences;
      if (preferences.read().isFeedMuted) return;
      if (navigator.userActivation?.hasBeenActive) {
        store.commit({ isMuted: false });
        return;
      }
      gestures = new AbortController();
      const { signal } = gestures;
      const restore = () => {
        gestures.abort();
        store.commit({ isMuted: false });
      };
      // Scrolling is no gesture in the browser's eyes; a press or a key is.
      for (const name of ["pointerup", "keyup"]) {
        page.addEventListener(name, restore, { capture: true, signal });
      }
    },
    setMuted(isMuted) {
      gestures.abort();
      memory?.write({ isFeedMuted: isMuted });
      store.commit({ isMuted });
    },
    silence: () => store.commit({ isMuted: true }),
    stop: () => gestures.abort(),
  };
}
