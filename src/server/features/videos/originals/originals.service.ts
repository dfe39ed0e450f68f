import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { isStandIn } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { findSourceHash } from "../files/same-files.ts";
import { sourceKeyOf } from "../files/video-source.ts";
import { findOpenReplacement } from "../replacements/replacements.repository.ts";
import { findVideoRow, lockVideoRow, updateVideo, type VideoRow } from "../videos.repository.ts";

const isDropped = (row: VideoRow): boolean =>
  row.dropped_bytes !== null && row.source_bytes === null;

/** Originals. If the settings say so, they are deleted once all renditions are done. */
export function createOriginalsService(deps: {
  db: Db;
  storage: Pick<Storage, "openRead" | "delete">;
  changed: PublishChanges;
}) {
  const { db, storage, changed } = deps;

  /** @returns whether this video's original is no longer needed. The video's row is locked. */
  async function canDropOriginal(trx: Trx, row: VideoRow): Promise<boolean> {
    const isComplete = row.status === "ready" && row.progress === 1 && row.hls_key !== null;
    const isKnown = row.source_bytes !== null && row.source_sha256 !== null;
    if (!isComplete || !isKnown) return false;
    return (await findOpenReplacement(trx, row.id))?.is_renewal !== true;
  }

  return {
    /** Returns whether another file has taken the place of the original, which was deleted. */
    async hasStandIn(videoId: string): Promise<boolean> {
      const row = await findVideoRow(db, videoId);
      return row !== null && isStandIn(row.source_key) && !isDropped(row);
    },

    /**
     * Deletes a video's original for good. Its size and hash are retained, so that uploads can
     * still be compared with it. Does nothing while a rendition is missing or in progress. If a
     * crash interrupts a call, the next call completes it.
     */
    async drop(videoId: string): Promise<void> {
      const found = await findVideoRow(db, videoId);
      if (found === null) return;
      if (!isDropped(found)) await findSourceHash({ db, storage }, found);
      const key = await db.transaction().execute(async (trx) => {
        const row = await lockVideoRow(trx, videoId);
        if (row === null) return null;
        if (isDropped(row)) return sourceKeyOf(row);
        if (!(await canDropOriginal(trx, row))) return null;
        const { source_bytes, dropped_bytes } = row;
        await updateVideo(trx, videoId, {
          dropped_bytes: isStandIn(row.source_key) ? (dropped_bytes ?? source_bytes) : source_bytes,
          source_bytes: null,
        });
        return sourceKeyOf(row);
      });
      if (key === null) return;
      await storage.delete(key);
      await changed([videoTag(videoId)]);
    },
  };
}

export type OriginalsService = ReturnType<typeof createOriginalsService>;
