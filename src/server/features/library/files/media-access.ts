import type { Db } from "../../../db/connection.ts";
import { findVideoByToken } from "../videos.repository.ts";

/** Who may see the files behind a media token; "none" for an unknown token. */
export type MediaAccess = (mediaToken: string) => Promise<"all" | "admins" | "none">;

/** How long the access of a token is cached: the files of an unpublished video close that soon. */
const cachedMs = 1000;
const maxEntries = 5000;

/** Files of listed videos are for all, files of other videos only for admins. */
export function createMediaAccess(deps: { db: Db }): MediaAccess {
  const cache = new Map<string, { until: number; access: Awaited<ReturnType<MediaAccess>> }>();
  return async (mediaToken) => {
    const now = performance.now();
    const entry = cache.get(mediaToken);
    if (entry !== undefined && entry.until > now) return entry.access;
    const row = await findVideoByToken(deps.db, mediaToken);
    const access = row === null ? "none" : row.is_listed ? "all" : "admins";
    if (cache.size >= maxEntries) cache.clear();
    cache.set(mediaToken, { until: now + cachedMs, access });
    return access;
  };
}
