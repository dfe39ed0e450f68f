import type { Db } from "#server/db/connection.ts";
import { mediaTokenOf, publishedPrefix, videoFolder } from "#server/storage/media-keys.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import { forgetPublished, listWithdrawn, notePublished } from "./published-media.repository.ts";

const maxKnown = 50_000;

/**
 * Public copies of listed videos' files, for a CDN that reads them from the bucket. The first
 * request for a file copies it within the bucket. The copy is deleted once the video is no longer
 * listed, so hidden videos never have a public address.
 */
export function createPublishedMedia({ db, s3 }: { db: Db; s3: S3Storage }) {
  /** Files whose copy exists or is being created. */
  let known = new Map<string, Promise<void>>();

  async function copy(key: string): Promise<void> {
    const token = mediaTokenOf(key);
    await notePublished(db, token);
    // Another process may have deleted the copy.
    s3.dropStat(publishedPrefix + key);
    if ((await s3.findStat(publishedPrefix + key)) === null) {
      await s3.copy(key, publishedPrefix + key);
    }
    // Noted again in case the video was withdrawn during the copy.
    await notePublished(db, token);
  }

  return {
    /** Ensures that a file of a listed video has its public copy. */
    publish(key: string): Promise<void> {
      const current = known;
      const copying = current.get(key);
      if (copying !== undefined) return copying;
      if (current.size >= maxKnown) current.clear();
      const started = copy(key);
      current.set(key, started);
      started.catch(() => current.delete(key));
      return started;
    },

    /** Deletes the copies of videos that aren't listed. @returns the number of videos. */
    async withdraw(): Promise<number> {
      const tokens = await listWithdrawn(db);
      for (const token of tokens) {
        await forgetPublished(db, token);
        try {
          await s3.deletePrefix(publishedPrefix + videoFolder(token));
        } catch (error) {
          await notePublished(db, token);
          throw error;
        }
      }
      return tokens.length;
    },

    /** Resets the cache after videos were published, unpublished or removed. */
    invalidate(): void {
      known = new Map();
    },
  };
}
