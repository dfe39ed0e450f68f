import { readStoredJson, writeStored } from "#web/lib/device-storage.ts";
import type { FeedSnapshot, FeedSurroundings } from "./feed-store.ts";
import type { FeedEntry } from "./timeline.ts";

/**
 * Feeds that the visitor left, so that Back restores the clip, its neighbors and the session. They
 * are stored in memory by the key of their history entry. For reloads, the last clip and its
 * neighbors are also stored in session storage.
 */
interface SavedFeeds {
  save(key: string, snapshot: FeedSnapshot): void;
  find(key: string): FeedSnapshot | null;
  /** Returns the neighbors that this clip had when the visitor left the page, or null. */
  findAround(slug: string): FeedSurroundings | null;
}

const maxFeeds = 5;
const maxBefore = 12;
const storageKey = "kinora.feed";
/** Differs between builds of this script, so that data of other builds isn't read. */
const version = import.meta.url;

interface StoredFeed extends FeedSurroundings {
  version: string;
}

const videosOf = (entries: readonly FeedEntry[]) =>
  entries.flatMap((entry) => (entry.kind === "video" ? [entry.video] : []));

const saved = new Map<string, FeedSnapshot>();

function saveAround(snapshot: FeedSnapshot): void {
  const { timeline, place, cursor, hasSession } = snapshot;
  const { entries, firstPlace } = timeline;
  const at = place - firstPlace;
  const entry = entries[at];
  if (entry?.kind !== "video" || !hasSession) return;
  const value: StoredFeed = {
    version,
    clip: entry.video,
    before: videosOf(entries.slice(0, at)).slice(-maxBefore),
    // Includes everything fetched, because the cursor continues after it.
    after: videosOf(entries.slice(at + 1)),
    cursor,
  };
  // If the browser refuses, a reload shows only the clip.
  writeStored(storageKey, JSON.stringify(value), "sessionStorage");
}

/** Saved feeds of this page. Only browsers write to them. */
export const savedFeeds: SavedFeeds = {
  save(key, snapshot) {
    saved.delete(key);
    saved.set(key, snapshot);
    for (const oldest of saved.keys()) {
      if (saved.size <= maxFeeds) break;
      saved.delete(oldest);
    }
    saveAround(snapshot);
  },
  find: (key) => saved.get(key) ?? null,
  findAround(slug) {
    const value = readStoredJson(storageKey, "sessionStorage") as StoredFeed | null;
    return value?.version === version && value.clip.slug === slug ? value : null;
  },
};
