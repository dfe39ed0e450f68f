import { feedSurroundings } from "./surroundings.schema.ts";
import type { FeedSnapshot, FeedSurroundings } from "./feed-store.ts";
import type { FeedEntry } from "./timeline.ts";

/**
 * Feeds that were left, so that Back finds the clip, its neighbours and the session: whole in
 * memory, by the key of their entry in the browser's history, and the neighbourhood of the last
 * clip in the tab's storage for a reload.
 */
export interface SavedFeeds {
  save(key: string, snapshot: FeedSnapshot): void;
  find(key: string): FeedSnapshot | null;
  /** What stood around this clip when the page was left, or null. */
  findAround(slug: string): FeedSurroundings | null;
}

const most = 5;
const reach = 12;
const storageKey = "kinora.feed";

const videosOf = (entries: readonly FeedEntry[]) =>
  entries.flatMap((entry) => (entry.kind === "video" ? [entry.video] : []));

export function createSavedFeeds(storage: () => Storage): SavedFeeds {
  const saved = new Map<string, FeedSnapshot>();

  function saveAround(snapshot: FeedSnapshot): void {
    const { entries, firstPlace, place, cursor, hasSession } = snapshot;
    const at = place - firstPlace;
    const entry = entries[at];
    if (entry?.kind !== "video" || !hasSession) return;
    const value: FeedSurroundings = {
      clip: entry.video,
      before: videosOf(entries.slice(0, at)).slice(-reach),
      // All of what was fetched: the cursor goes on after it.
      after: videosOf(entries.slice(at + 1)),
      cursor,
    };
    try {
      storage().setItem(storageKey, JSON.stringify(value));
    } catch {
      // A reload then begins with the clip alone.
    }
  }

  return {
    save(key, snapshot) {
      saved.delete(key);
      saved.set(key, snapshot);
      for (const oldest of saved.keys()) {
        if (saved.size <= most) break;
        saved.delete(oldest);
      }
      saveAround(snapshot);
    },
    find: (key) => saved.get(key) ?? null,
    findAround(slug) {
      try {
        const saved = storage().getItem(storageKey);
        if (saved === null) return null;
        const value = feedSurroundings.parse(JSON.parse(saved));
        return value.clip.slug === slug ? value : null;
      } catch {
        return null;
      }
    },
  };
}
