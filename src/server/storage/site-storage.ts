import { AppError } from "#server/lib/app-error.ts";
import { createKnownPlaces, type Place, type PlaceDeps } from "./known-places.ts";
import type { ObjectStat, PlaceStorage, Storage } from "./storage.ts";

/** Storage of a site. The site can be migrated while it is in use. */
export interface SiteStorage extends Storage {
  /** Returns the place of new files. */
  currentKind(): Place["kind"];
  /** Registers an object that something else wrote into the bucket. */
  adopt(key: string): Promise<ObjectStat>;
  /** Reads the current places of the media from the database. */
  refresh(): Promise<void>;
}

/**
 * Reads an object from wherever it is, and writes new ones to the current place. An object never
 * changes under its key, so every copy is valid during a migration. Readers that only know the old
 * place just check again.
 */
export function createSiteStorage(deps: PlaceDeps): SiteStorage {
  const { disk, s3 } = deps;
  const places = createKnownPlaces(deps);
  const { find, get, refresh, storageAt, storages } = places;

  const holderOf = (key: string): Promise<PlaceStorage> =>
    get(async (storage) => ((await storage.findStat(key)) === null ? null : storage));

  const copyToCurrent = (key: string, from: PlaceStorage): Promise<ObjectStat> =>
    from.withLocalFile(key, (path) =>
      storageAt(places.current()).putFile(key, path, { share: true }),
    );

  /** Copies an object to the new place if a migration ended while the object was being written. */
  async function follow(key: string, from: Place, written: ObjectStat): Promise<ObjectStat> {
    await refresh();
    return places.current().id === from.id ? written : copyToCurrent(key, storageAt(from));
  }

  const hasOwnId = async () => (await storageAt(places.current()).readId()) === places.current().id;

  /**
   * Refuses to write to the storage of another site, or to the empty folder on which the storage
   * isn't mounted: what is written there is lost when the right one is back.
   */
  async function requireOwnStorage(): Promise<void> {
    // A bucket can't be exchanged while the site runs, and reading its id takes a request.
    if (places.current().kind === "s3" || (await hasOwnId())) return;
    await refresh();
    if (places.current().kind === "s3" || (await hasOwnId())) return;
    throw new AppError(
      "storage_unwritable",
      "The storage isn't the one that belongs to this site, so nothing was saved. Is it mounted?",
    );
  }

  /** Writes an object. It counts as written only if the storage is still the site's own one then. */
  async function put(
    key: string,
    write: (storage: PlaceStorage) => Promise<ObjectStat>,
  ): Promise<ObjectStat> {
    await requireOwnStorage();
    const place = places.current();
    const written = await follow(key, place, await write(storageAt(place)));
    await requireOwnStorage();
    return written;
  }

  return {
    currentKind: () => places.current().kind,
    refresh,

    putFile: (key, localPath, options) =>
      put(key, (storage) => storage.putFile(key, localPath, options)),
    putBytes: (key, bytes) => put(key, (storage) => storage.putBytes(key, bytes)),

    async adopt(key) {
      if (s3 === null) throw new Error("There is no bucket to adopt.");
      await refresh();
      if (places.current().kind === "s3") return s3.getStat(key);
      const stat = await copyToCurrent(key, s3);
      await s3.delete(key);
      return stat;
    },

    getStat: (key) => get((storage) => storage.getStat(key)),
    findStat: (key) => find((storage) => storage.findStat(key)),
    locate: (key) => get((storage) => storage.locate(key)),
    openRead: (key) => get((storage) => storage.openRead(key)),
    readBytes: (key, maxBytes) => get((storage) => storage.readBytes(key, maxBytes)),

    async withLocalFile(key, use, signal) {
      const holder = await holderOf(key);
      return holder.withLocalFile(key, use, signal);
    },

    async delete(key) {
      for (const storage of storages()) await storage.delete(key);
    },
    async deletePrefix(prefix) {
      for (const storage of storages()) await storage.deletePrefix(prefix);
    },

    async *list(prefix) {
      const [first, second] = storages();
      const seen = new Set<string>();
      for (const storage of [first, second]) {
        if (storage === undefined) continue;
        for await (const stat of storage.list(prefix)) {
          if (second !== undefined) {
            if (seen.has(stat.key)) continue;
            seen.add(stat.key);
          }
          yield stat;
        }
      }
    },

    async createScratch() {
      await requireOwnStorage();
      return disk.createScratch();
    },
    sweepScratch: (logger) => (s3 ?? disk).sweepScratch(logger),
    findFreeBytes: () => disk.findFreeBytes(),

    async checkHealth() {
      const isOwn = async () => {
        await storageAt(places.current()).checkHealth();
        return hasOwnId();
      };
      if (await isOwn()) return;
      await refresh();
      if (await isOwn()) return;
      throw new Error("The storage has another ID, or none. Is it mounted?");
    },
  };
}
