import type { PreferenceStore } from "#web/features/player/core/preferences.ts";
import { createStore } from "#web/lib/store.ts";

/**
 * Creates the mute state. If the sound was on last time, the first gesture turns it on again.
 * Browsers don't allow it sooner, and an earlier attempt would pause the video.
 */
export function createFeedSound() {
  const store = createStore({ isMuted: true });
  let gestures = new AbortController();
  let memory: PreferenceStore | null = null;

  function restoreOnGesture(): void {
    gestures.abort();
    gestures = new AbortController();
    const { signal } = gestures;
    const restore = ({ target }: Event) => {
      // Buttons act on the click that follows, and the mute button would mute the feed again.
      if (target instanceof Element && target.closest("button:not(.feed-touch)")) return;
      gestures.abort();
      store.commit({ isMuted: false });
    };
    // Browsers count a press or a key as a gesture, but not scrolling.
    for (const name of ["pointerup", "keyup"]) {
      document.addEventListener(name, restore, { capture: true, signal });
    }
  }

  return {
    store: { get: store.get, subscribe: store.subscribe },
    /** Reads the visitor's last choice. */
    start(preferences: PreferenceStore): void {
      memory = preferences;
      if (preferences.read().isFeedMuted) return;
      if (navigator.userActivation?.hasBeenActive) store.commit({ isMuted: false });
      else restoreOnGesture();
    },
    setMuted(isMuted: boolean): void {
      gestures.abort();
      memory?.write({ isFeedMuted: isMuted });
      store.commit({ isMuted });
    },
    /**
     * Mutes the feed until the next gesture, because the browser refuses sound. Not saved as the
     * visitor's choice.
     */
    silence(): void {
      store.commit({ isMuted: true });
      if (memory?.read().isFeedMuted === false) restoreOnGesture();
    },
    stop: (): void => gestures.abort(),
  };
}

/** Mute state of the whole feed. It is muted until the visitor turns the sound on. */
export type FeedSound = ReturnType<typeof createFeedSound>;
