import { z } from "zod";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { backOffS, queueAgain, defineJob, type JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isStandIn } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import {
  findOpenReplacement,
  findVideoRow,
  lockVideoRow,
  updateVideo,
  type VideoRow,
} from "../videos.repository.ts";
import { findSourceHash } from "./same-files.ts";
import { listDueDrops, setDropsOriginal } from "./stored-files.repository.ts";
import { sourceKeyOf } from "./video-files.ts";

const name = "video.drop-original";
/** Minimum time to wait if automatic captions or AV1 renditions still need the original. */
const waitS = 30;

/** Maximum time until the job checks again, because the settings may change in the meantime. */
const maxWaitS = 24 * 3600;

/** Returns until when a cut can be undone if originals aren't retained. */
export const undoEnd = (cutAt: Date, trashDays: number): Date =>
  new Date(cutAt.getTime() + trashDays * 24 * 3600 * 1000);

const isDropped = (row: VideoRow): boolean =>
  row.dropped_bytes !== null && row.source_bytes === null;

/** Returns whether a video's original is no longer needed. The caller must have locked its row. */
async function canDropOriginal(trx: Trx, row: VideoRow): Promise<boolean> {
  const isComplete = row.status === "ready" && row.progress === 1 && row.hls_key !== null;
  const isKnown = row.source_bytes !== null && row.source_sha256 !== null;
  if (!isComplete || !isKnown) return false;
  return (await findOpenReplacement(trx, row.id))?.is_renewal !== true;
}

/**
 * Originals. They are deleted once all renditions are done if the settings don't retain them, or if
 * they took the place of a deleted original.
 */
export function createOriginalsService(deps: {
  db: Db;
  clock: Clock;
  queue: JobQueue;
  storage: Storage;
  settings: SettingsService;
  changed: PublishChanges;
}) {
  const { db, clock, queue, storage, settings, changed } = deps;

  /** Returns until when the original of a cut video stays, so that the cut can be undone. */
  async function findUndoEnd(videoId: string): Promise<Date | null> {
    const row = await findVideoRow(db, videoId);
    if (row === null || row.cut_at === null || isDropped(row)) return null;
    return undoEnd(row.cut_at, (await settings.readFresh()).trashDays);
  }

  async function isKept(videoId: string): Promise<boolean> {
    if (!(await settings.current()).keepOriginals) return false;
    const row = await findVideoRow(db, videoId);
    const hasStandIn = row !== null && isStandIn(row.source_key) && !isDropped(row);
    return !hasStandIn;
  }

  /**
   * Deletes a video's original for good. Its size and hash are retained, so that uploads can still
   * be compared with it. Does nothing while a rendition is missing or in progress. If a crash
   * interrupts a call, the next call completes it.
   */
  async function drop(videoId: string): Promise<void> {
    const video = await findVideoRow(db, videoId);
    if (video === null) return;
    if (!isDropped(video)) await findSourceHash({ db, storage }, video);
    const key = await db.transaction().execute(async (trx) => {
      const row = await lockVideoRow(trx, videoId);
      if (row === null) return null;
      if (isDropped(row)) return sourceKeyOf(row);
      if (!(await canDropOriginal(trx, row))) return null;
      const { source_bytes, dropped_bytes } = row;
      await updateVideo(trx, videoId, {
        dropped_bytes: isStandIn(row.source_key) ? (dropped_bytes ?? source_bytes) : source_bytes,
        source_bytes: null,
        // From now on, the remaining parts are the whole video.
        kept_parts: null,
        cut_at: null,
        before_cut: null,
        drops_original: false,
      });
      return sourceKeyOf(row);
    });
    if (key === null) return;
    await storage.delete(key);
    await changed([videoTag(videoId)]);
  }

  /** Requests the deletion of an original once all renditions are done, unless it stays. */
  async function requestDrop(videoId: string): Promise<void> {
    const drops = !(await isKept(videoId));
    await setDropsOriginal(db, videoId, drops);
    if (drops) await queue.enqueue(db, name, { videoId }, { key: videoId });
  }

  return {
    requestDrop,

    /** Requests deletions that are due and have no job, for example after a restore. */
    async requeue(): Promise<void> {
      for (const videoId of await listDueDrops(db, clock.date())) {
        if (!(await queue.hasUnfinished([name], { videoId }))) await requestDrop(videoId);
      }
    },

    job: defineJob({
      name,
      payload: z.object({ videoId: z.uuid(), waits: z.int().min(0).default(0) }),
      concurrency: 1,
      async run({ videoId, waits }) {
        // The settings may have changed in the meantime.
        if (await isKept(videoId)) return;
        if (await queue.hasUnfinished(["video.captions", "video.efficient"], { videoId })) {
          return queueAgain(deps, name, { videoId, waits }, Math.max(waitS, backOffS(waits)));
        }
        const endsAt = await findUndoEnd(videoId);
        const leftS = ((endsAt?.getTime() ?? 0) - clock.now()) / 1000;
        if (leftS > 0) {
          return queueAgain(deps, name, { videoId, waits }, Math.min(Math.ceil(leftS), maxWaitS));
        }
        await drop(videoId);
      },
    }),
  };
}

export type OriginalsService = ReturnType<typeof createOriginalsService>;
