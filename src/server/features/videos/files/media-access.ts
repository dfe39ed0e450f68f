import type { Db } from "#server/db/connection.ts";
import { requireVideo } from "#server/http/access/video-gate.ts";
import { openFilesOf } from "../may-play.ts";
import { findByMediaToken } from "../videos.repository.ts";

interface Access {
  /**
   * Everyone who may see a video may see the files that its page uses. Only admins may see the
   * others.
   */
  who: "all" | "admins";
  videoId: string;
  /** True if only members may see the files, except the open ones. */
  isMembersOnly: boolean;
  /** Keys of the files that everyone may see even then. */
  openFiles: ReadonlySet<string>;
}

/**
 * Returns who may see the files of a media token; null for an unknown token.
 * @throws AppError blocked_country for a visitor whose country may not see the video.
 */
export type MediaAccess = (mediaToken: string) => Promise<Access | null>;

/** Time for which access is cached if no event reports a change. */
const cachedMs = 1000;
const maxEntries = 5000;

export function createMediaAccess(deps: { db: Db }): {
  mediaAccess: MediaAccess;
  /** Clears the cache after videos were published, unpublished or removed. */
  invalidate(): void;
} {
  let cache = new Map<string, { until: number; access: Access | null }>();

  async function find(mediaToken: string): Promise<Access | null> {
    const now = performance.now();
    // A change replaces the cache, so that the new one contains no results of earlier reads.
    const current = cache;
    const entry = current.get(mediaToken);
    if (entry !== undefined && entry.until > now) return entry.access;
    const found = await findByMediaToken(deps.db, mediaToken);
    const access: Access | null =
      found === null
        ? null
        : {
            who: found.is_reachable ? "all" : "admins",
            videoId: found.id,
            isMembersOnly: found.isMembersOnly,
            openFiles: openFilesOf(found),
          };
    if (current.size >= maxEntries) current.clear();
    current.set(mediaToken, { until: now + cachedMs, access });
    return access;
  }

  return {
    async mediaAccess(mediaToken) {
      const access = await find(mediaToken);
      if (access?.who === "all") requireVideo(access.videoId);
      return access;
    },
    invalidate() {
      cache = new Map();
    },
  };
}
