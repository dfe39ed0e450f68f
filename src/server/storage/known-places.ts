import { AppError, isNotFound } from "#server/lib/app-error.ts";
import type { PlaceStorage } from "./storage.ts";

/** Storage of the site, and the id that it must contain. */
export interface Place {
  kind: "disk" | "s3";
  id: string;
}

/**
 * Places of the media. During a migration there are two, and each object is in at least one of
 * them.
 */
interface Places {
  current: Place;
  other: Place | null;
}

/** Time for which readers that don't find an object still trust the known places. */
const freshMs = 1000;

export interface PlaceDeps {
  disk: PlaceStorage;
  /** Null if this process has no bucket. */
  s3: PlaceStorage | null;
  places: Places;
  readPlaces(): Promise<Places>;
}

/** Storages that may contain this site's media. */
export function createKnownPlaces(deps: PlaceDeps) {
  const { disk, s3 } = deps;
  let { places } = deps;
  let refreshedAt = performance.now();

  /** @throws AppError unavailable if this process has no such storage. */
  function storageAt({ kind }: Place): PlaceStorage {
    if (kind === "disk") return disk;
    if (s3 !== null) return s3;
    throw new AppError("unavailable", "Media storage can't be reached. Try again in a moment.", {
      retryAfterS: 5,
      cause: new Error(
        "The media files are in object storage, but this process has no S3 variables.",
      ),
    });
  }

  /** Returns the storages that may have an object, the current one first. */
  const storages = (): PlaceStorage[] =>
    [places.current, places.other].filter((place) => place !== null).map(storageAt);

  /** Reads the current places from the database. */
  async function refresh(): Promise<void> {
    refreshedAt = performance.now();
    places = await deps.readPlaces();
  }

  async function findIn<T>(read: (storage: PlaceStorage) => Promise<T | null>): Promise<T | null> {
    for (const storage of storages()) {
      const found = await read(storage).catch((error: unknown) => {
        if (isNotFound(error)) return null;
        throw error;
      });
      if (found !== null) return found;
    }
    return null;
  }

  /** Reads from the first storage that has the object. @returns null if none has it. */
  async function find<T>(read: (storage: PlaceStorage) => Promise<T | null>): Promise<T | null> {
    const found = await findIn(read);
    if (found !== null || performance.now() - refreshedAt < freshMs) return found;
    const before = places.current.id;
    await refresh();
    return places.current.id === before ? null : findIn(read);
  }

  /** Reads like `find`. @throws AppError not_found. */
  async function get<T>(read: (storage: PlaceStorage) => Promise<T | null>): Promise<T> {
    const found = await find(read);
    if (found === null) throw new AppError("not_found", "File not found.");
    return found;
  }

  return { current: (): Place => places.current, storageAt, storages, refresh, find, get };
}
