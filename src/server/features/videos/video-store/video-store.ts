import { storedBytes, type StoredVideo } from "./shown-video.ts";

/** Listed videos in memory, by id and slug. */
export interface VideoStore {
  find(id: string): StoredVideo | undefined;
  findId(slug: string): string | undefined;
  /** Changes with every `invalidate`. */
  epoch(): number;
  /** Adds a video, unless the store was invalidated since the read of it began, at `epoch`. */
  put(video: StoredVideo, epoch: number): void;
  invalidate(): void;
  readonly size: { videos: number; bytes: number };
}

interface Entry {
  stored: StoredVideo;
  bytes: number;
  isUsed: boolean;
}

export function createVideoStore(maxBytes: number): VideoStore {
  // A Map keeps the order of insertion: its first entry waits longest for its second chance.
  const entries = new Map<string, Entry>();
  const idsBySlug = new Map<string, string>();
  let bytes = 0;
  let epoch = 0;

  function drop(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entries.delete(id);
    idsBySlug.delete(entry.stored.slug);
    bytes -= entry.bytes;
  }

  function evict(): void {
    for (const [id, entry] of entries) {
      if (bytes <= maxBytes) break;
      if (entry.isUsed) {
        entry.isUsed = false;
        entries.delete(id);
        entries.set(id, entry);
      } else drop(id);
    }
  }

  return {
    find(id) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.isUsed = true;
      return entry?.stored;
    },
    findId: (slug) => idsBySlug.get(slug),
    epoch: () => epoch,
    put(stored, epochOfRead) {
      if (epochOfRead !== epoch) return;
      const { id, slug } = stored;
      drop(id);
      const entry = { stored, bytes: storedBytes(stored), isUsed: false };
      entries.set(id, entry);
      idsBySlug.set(slug, id);
      bytes += entry.bytes;
      evict();
    },
    invalidate() {
      epoch += 1;
      entries.clear();
      idsBySlug.clear();
      bytes = 0;
    },
    get size() {
      return { videos: entries.size, bytes };
    },
  };
}
