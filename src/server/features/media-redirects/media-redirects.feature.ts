import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { Config } from "#server/config.ts";
import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/app.ts";
import { defineJob, type JobQueue } from "#server/jobs/queue.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import type { ObjectStat } from "#server/storage/storage.ts";
import { mediaTokenOf, publishedPrefix, videoFolder } from "#server/storage/media-keys.ts";
import { forgetWithdrawn, listWithdrawn, notePublished } from "./published-media.repository.ts";

const maxKnown = 50_000;

/**
 * Manages public copies of listed videos' files, for a CDN that reads from the bucket. A file is
 * copied when it is first requested. When a video is hidden, its copies are deleted, so that nothing
 * public remains of it.
 */
function createPublishedMedia({ db, s3 }: { db: Db; s3: S3Storage }) {
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
    async withdraw(signal: AbortSignal): Promise<number> {
      let count = 0;
      for (const token of await listWithdrawn(db)) {
        signal.throwIfAborted();
        // If this process dies or the deletion fails, the row is still there for the next run.
        const isDeleted = await db.transaction().execute(async (trx) => {
          if (!(await forgetWithdrawn(trx, token))) return false;
          await s3.deletePrefix(publishedPrefix + videoFolder(token));
          return true;
        });
        if (isDeleted) count += 1;
      }
      return count;
    },

    /** Resets the cache after videos were published, unpublished or removed. */
    invalidate(): void {
      known = new Map();
    },
  };
}

interface Redirect {
  url: string;
  cacheControl: string;
}

/**
 * Returns the address of a file in the bucket, or null if this site sends it.
 * @param audience.isPublic true if anybody may keep the file for hours.
 * @param audience.hasCopy true if it may have a public copy for a CDN.
 */
export type FindRedirect = (
  stat: ObjectStat,
  audience: { isPublic: boolean; hasCopy: boolean },
) => Promise<Redirect | null>;

/** Long enough to pause a video over dinner, because players keep using the redirected address. */
const publicExpiryS = 6 * 3600;
const draftExpiryS = 600;
/** Maximum time that a viewer waits for a public copy. */
const maxCopyWaitMs = 1000;
/**
 * Types of files that are redirected. Pictures are small, and playlists and storyboards contain
 * relative addresses, so this site sends those.
 */
const redirected = new Set(["video/mp4", "video/iso.segment", "audio/mp4"]);

/**
 * Decides who sends the media: this site, the bucket by signed addresses, or a CDN in front of the
 * bucket.
 */
export function createMediaRedirectsFeature(deps: {
  config: Config;
  db: Db;
  s3: S3Storage | null;
  queue: JobQueue;
  logger: Logger;
}): Feature & { findRedirect: FindRedirect } {
  const { config, db, s3, queue, logger } = deps;
  const { mediaBaseUrl, mediaDelivery } = config;
  const published = s3 === null ? null : createPublishedMedia({ db, s3 });

  /** Returns whether a file has its public copy. A copy that takes longer continues. */
  async function hasPublicCopy(media: NonNullable<typeof published>, key: string) {
    const copied = media.publish(key).then(
      () => true,
      (error: unknown) => {
        warnLimited(logger, "public copies", { err: error }, "couldn't make a public copy");
        return false;
      },
    );
    return Promise.race([copied, wait(maxCopyWaitMs, false, { ref: false })]);
  }

  async function sign(bucket: S3Storage, key: string, isPublic: boolean): Promise<Redirect> {
    const expiresInS = isPublic ? publicExpiryS : draftExpiryS;
    return {
      url: await bucket.signUrl(key, expiresInS),
      // Shorter than the time that every signed address is still valid.
      cacheControl: isPublic ? "private, max-age=3600" : "private, no-store",
    };
  }

  return {
    async findRedirect({ key, contentType }, { isPublic, hasCopy }) {
      if (s3 === null || published === null || !redirected.has(contentType)) return null;
      if (hasCopy && mediaBaseUrl !== null && (await hasPublicCopy(published, key))) {
        return { url: `${mediaBaseUrl}/${key}`, cacheControl: "private, max-age=60" };
      }
      return mediaDelivery === "redirect" ? sign(s3, key, isPublic) : null;
    },
    jobs: [
      defineJob({
        name: "media.withdraw",
        payload: z.object({}),
        concurrency: 1,
        schedule: { cron: "*/10 * * * *", runsAtStart: true },
        async run(_payload, { signal }) {
          const count = (await published?.withdraw(signal)) ?? 0;
          if (count > 0) logger.info({ count }, "withdrew public files of videos");
        },
      }),
    ],
    invalidate(changes) {
      // The settings contain the countries that are blocked for the whole site.
      const isAffected = concerns(changes, "videos") || concerns(changes, "settings");
      if (published === null || !isAffected) return;
      published.invalidate();
      if (mediaBaseUrl === null) return;
      queue
        .enqueue(db, "media.withdraw", {}, { key: "changed" })
        .catch((error: unknown) =>
          warnLimited(logger, "public files", { err: error }, "couldn't withdraw public files"),
        );
    },
  };
}
