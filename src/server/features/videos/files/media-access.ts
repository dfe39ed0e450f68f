import type { Db } from "#server/db/connection.ts";
import { createBatchedRead } from "#server/lib/batched-read.ts";
import { readReachableByToken } from "../videos.repository.ts";

type Access = "all" | "admins" | "none";

/** Who may see the files behind a media token; "none" for an unknown token. */
export type MediaAccess = (mediaToken: string) => Promise<Access>;

/** How long the access of a token is cached where no event says that it has changed. */
const cachedMs = 1000;
const maxEntries = 5000;

/** Files of videos that visitors reach at their address are for all, other files only for admins. */
export function createMediaAccess(deps: { db: Db }): {
  mediaAccess: MediaAccess;
  /** Videos were published, unpublished or removed. */
  invalidate(): void;
} {
  let cache = new Map<string, { until: number; access: Access }>();
  // Guessed tokens are never in the cache: however many arrive, one statement at a time reads them.
  const readReachable = createBatchedRead((tokens) => readReachableByToken(deps.db, tokens));
  return {
    async mediaAccess(mediaToken) {
      const now = performance.now();
      // A change replaces the cache, so that what was read before it is not kept.
      const current = cache;
      const entry = current.get(mediaToken);
      if (entry !== undefined && entry.until > now) return entry.access;
      const isReachable = (await readReachable([mediaToken])).get(mediaToken);
      const access = isReachable === undefined ? "none" : isReachable ? "all" : "admins";
      if (current.size >= maxEntries) current.clear();
      current.set(mediaToken, { until: now + cachedMs, access });
      return access;
    },
    invalidate() {
      cache = new Map();
    },
  };
}
