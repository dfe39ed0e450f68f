import type { Db } from "#server/db/connection.ts";
import type { VideoCounts } from "#server/db/video-counts.ts";
import { isUuid } from "#server/lib/ids.ts";
import { createBatchedRead } from "#server/lib/batched-read.ts";
import { hydrateVideos } from "../hydrated-videos.repository.ts";
import { presentVideo } from "../videos.presenter.ts";
import { readCounts, readCountsBySlug } from "./listed-videos.repository.ts";
import { storedVideo, type ShownVideo, type StoredVideo } from "./shown-video.ts";
import { createVideoStore, type VideoStore } from "./video-store.ts";

/**
 * Listed videos as visitors see them. The database says which of them are listed, how often they
 * were watched and liked, and the stamp of the rest; the rest comes from memory where the stamp is
 * the same. Names of labels have no stamp: a change of them invalidates everything.
 */
export interface ListedVideos extends Pick<VideoStore, "invalidate"> {
  /** Null if no video with this id or slug is reachable: unlisted ones are. */
  find(idOrSlug: string): Promise<ShownVideo | null>;
  /**
   * The id of a video with this id or slug, without a look into the database: no such video may be
   * listed. Null if memory knows none.
   */
  guessId(idOrSlug: string): string | null;
  /**
   * Those of these videos that are listed, in the order of the ids.
   * @param known counts of all of them, where the caller has just read them.
   */
  list(ids: readonly string[], known?: ReadonlyMap<string, VideoCounts>): Promise<ShownVideo[]>;
}

const defaultMaxBytes = 32 * 1024 * 1024;

export function createListedVideos(deps: { db: Db; maxBytes?: number }): ListedVideos {
  const { db, maxBytes = defaultMaxBytes } = deps;
  const store = createVideoStore(maxBytes);
  const readListed = createBatchedRead((ids) => readCounts(db, ids, "listed"));
  const readReachable = createBatchedRead((ids) => readCounts(db, ids, "reachable"));
  const readBySlug = createBatchedRead((slugs) => readCountsBySlug(db, slugs));

  const load = createBatchedRead(async (ids) => {
    const epoch = store.epoch();
    const loaded = new Map<string, StoredVideo>();
    for (const video of await hydrateVideos(db, ids)) {
      const { row, stamp } = video;
      if (!row.is_reachable) continue;
      const shown = presentVideo(video, { isAdmin: false });
      const { duration_s: durationS, midroll_times: midrollTimes } = row;
      const stored = storedVideo(shown, { durationS, midrollTimes, stamp });
      loaded.set(row.id, stored);
      store.put(stored, epoch);
    }
    return loaded;
  });

  async function list(
    ids: readonly string[],
    counts: ReadonlyMap<string, VideoCounts>,
  ): Promise<ShownVideo[]> {
    const found = new Map<string, StoredVideo>();
    const missing: string[] = [];
    for (const id of ids) {
      const stored = store.find(id);
      if (stored !== undefined && stored.stamp === counts.get(id)?.stamp) found.set(id, stored);
      else if (counts.has(id)) missing.push(id);
    }
    const loaded = missing.length === 0 ? found : await load(missing);
    return ids.flatMap((id) => {
      const stored = found.get(id) ?? loaded.get(id);
      const own = counts.get(id);
      return stored === undefined || own === undefined ? [] : [{ stored, counts: own }];
    });
  }

  const guessId = (idOrSlug: string): string | null =>
    isUuid(idOrSlug) ? idOrSlug.toLowerCase() : (store.findId(idOrSlug) ?? null);

  return {
    guessId,

    async find(idOrSlug) {
      const id = guessId(idOrSlug);
      if (id !== null) {
        const [video] = await list([id], await readReachable([id]));
        if (video !== undefined) return video;
        if (isUuid(idOrSlug)) return null;
      }
      // Also where another video has taken over the slug of a deleted one.
      const bySlug = (await readBySlug([idOrSlug])).get(idOrSlug);
      if (bySlug === undefined) return null;
      const [video] = await list([bySlug.id], new Map([[bySlug.id, bySlug]]));
      return video ?? null;
    },

    list: async (ids, known) => {
      if (ids.length === 0) return [];
      return list(ids, known ?? (await readListed(ids)));
    },

    invalidate: () => store.invalidate(),
  };
}
