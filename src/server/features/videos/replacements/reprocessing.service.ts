import type { RawBuilder } from "kysely";
import type { KeptPart } from "#contract/videos/kept-parts.ts";
import type { ReprocessingPlan } from "#contract/videos/reprocessing-plan.ts";
import type { Video } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newId } from "#server/lib/ids.ts";
import { estimateLadderS } from "#server/media/plan/estimate.ts";
import type { Storage } from "#server/storage/storage.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { findSourceKey } from "../files/video-files.ts";
import { enqueueProcessing } from "../processing-state/enqueue-processing.ts";
import {
  findVideoRow,
  lockExistingVideo,
  lockVideoRow,
  type VideoRow,
} from "../videos.repository.ts";
import type { VideosService } from "../videos.service.ts";
import { checkUnchanged } from "./replacements.service.ts";
import * as repository from "./replacements.repository.ts";

const originalIsGone =
  "The original file of this video no longer exists, so it can't be reprocessed. Replace its file instead.";

/**
 * Queues a video for reprocessing. The caller must have locked its row.
 * @param options.isComplete true to make all files again, not only the ladder.
 * @param options.cut changes the parts that play. The caller records this in the audit log.
 * @throws AppError conflict if it isn't ready, is being processed, or its original is deleted.
 */
export async function reprocessVideo(
  trx: Trx,
  queue: JobQueue,
  row: VideoRow,
  actor: Actor,
  {
    id = newId(),
    isComplete = false,
    cut,
  }: {
    id?: string;
    isComplete?: boolean;
    /** Parts of the source to play from now on; null for all of it. */
    cut?: { keptParts: readonly KeptPart[] | null };
  } = {},
): Promise<void> {
  if (row.status === "failed") throw new AppError("conflict", "This video isn't ready yet.");
  // A cut has stored a rendition in place of a deleted original.
  const hasStandIn = cut !== undefined && row.source_bytes !== null;
  if (row.dropped_bytes !== null && !hasStandIn) throw new AppError("conflict", originalIsGone);
  const failed = await checkUnchanged(trx, row);
  if (failed !== null) await repository.deleteReplacement(trx, failed.id);
  await repository.insertReprocessing(trx, id, row, isComplete, {
    uploaded_by: actor.user.id,
    uploaded_by_email: actor.user.email,
    ...(cut === undefined
      ? {}
      : {
          kept_parts: cut.keptParts === null ? null : JSON.stringify(cut.keptParts),
          changes_cut: true,
          // Other parts sound and look different.
          loudness: null,
          fingerprint: null,
        }),
  });
  const first = isComplete ? "video.publish" : "video.finish";
  await enqueueProcessing(queue, trx, first, id, { isReprocessing: true });
  if (cut !== undefined) return;
  await recordAudit(trx, actor, {
    action: "video.reprocessed",
    entity: "video",
    entityId: row.id,
    before: { title: row.title },
  });
}

/**
 * Queues the given videos that can be reprocessed, in the order of their ids.
 * @returns their number.
 */
export async function reprocessVideos(
  trx: Trx,
  queue: JobQueue,
  ids: readonly string[],
  actor: Actor,
): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const row = await lockVideoRow(trx, id);
    if (row === null) continue;
    try {
      await reprocessVideo(trx, queue, row, actor);
      count += 1;
    } catch (error) {
      if (!(error instanceof AppError && error.code === "conflict")) throw error;
    }
  }
  return count;
}

/** Size to assume for a video whose size is unknown. */
const usual = { width: 1280, height: 720 };

/** Estimates the cost of `reprocessVideos`. @param ids query for ids; null for all videos. */
export async function planReprocessing(
  db: Db,
  ids: RawBuilder<{ id: string }> | null,
): Promise<ReprocessingPlan> {
  const plan = { videos: 0, ready: 0, underWay: 0, processorS: 0, extraBytes: 0 };
  for (const group of await repository.sumForReprocessing(db, ids)) {
    plan.videos += group.videos;
    if (group.isInProgress) plan.underWay += group.videos;
    if (!group.isReady) continue;
    const { durationS, width, height } = group;
    const size = width === null || height === null ? usual : { width, height };
    plan.ready += group.videos;
    plan.processorS += estimateLadderS({ ...size, durationS });
    plan.extraBytes += group.storedBytes;
  }
  return { ...plan, processorS: Math.round(plan.processorS) };
}

const batchSize = 25;

/** Ids of videos to reprocess; null for all. */
type Chosen = readonly string[] | null;

/** @param names ids or slugs; empty for all videos. @throws AppError not_found. */
export async function chooseVideos(db: Db, names: readonly string[]): Promise<Chosen> {
  if (names.length === 0) return null;
  const ids = new Set<string>();
  for (const name of names) {
    const row = await findVideoRow(db, name);
    if (row === null) throw new AppError("not_found", `Video ${name} not found.`);
    ids.add(row.id);
  }
  return [...ids].toSorted();
}

export const planLibrary = (db: Db, chosen: Chosen): Promise<ReprocessingPlan> =>
  planReprocessing(db, chosen === null ? null : repository.videosWithIds(chosen));

/**
 * Queues the videos in small transactions. If the call is interrupted, it can be repeated.
 * @returns the number queued.
 */
export async function reprocessLibrary(
  db: Db,
  queue: JobQueue,
  chosen: Chosen,
  actor: Actor,
): Promise<number> {
  let count = 0;
  for await (const batch of batches(db, chosen)) {
    count += await db.transaction().execute((trx) => reprocessVideos(trx, queue, batch, actor));
  }
  return count;
}

/** Cancels all reprocessing, both waiting and running. @returns the number of videos. */
export const stopReprocessing = (db: Db): Promise<number> => repository.deleteOpenReprocessing(db);

/** Yields batches of ids in ascending order. */
async function* batches(db: Db, chosen: Chosen): AsyncGenerator<readonly string[]> {
  if (chosen !== null) {
    for (let at = 0; at < chosen.length; at += batchSize) yield chosen.slice(at, at + batchSize);
    return;
  }
  let after: string | null = null;
  for (;;) {
    const batch: string[] = await repository.listVideoIds(db, { after, limit: batchSize });
    if (batch.length === 0) return;
    yield batch;
    after = batch.at(-1) ?? null;
  }
}

/**
 * Reprocesses renditions, for example after the ladder has changed. Works like a new file for the
 * video with the same source: the current files play until everything is done, then all change at
 * once.
 */
export function createReprocessingService(deps: {
  db: Db;
  queue: JobQueue;
  storage: Storage;
  videos: VideosService;
  changed: PublishChanges;
}) {
  const { db, queue, storage, videos, changed } = deps;
  return {
    /**
     * @throws AppError not_found; conflict if the video isn't ready, is being processed, or its
     * original is deleted.
     */
    async begin(idOrSlug: string, actor: Actor): Promise<Video> {
      const videoId = await videos.getId(idOrSlug, { isAdmin: true });
      const source = await findSourceKey(db, videoId);
      if ((await storage.findStat(source)) === null) throw new AppError("conflict", originalIsGone);
      const id = newId();
      const begin = () =>
        db.transaction().execute(async (trx) => {
          const row = await lockExistingVideo(trx, videoId);
          await reprocessVideo(trx, queue, row, actor, { id });
        });
      await settleCommit(begin, {
        isCommitted: async () => (await repository.findReplacedVideo(db, id)) !== null,
      });
      await changed([videoTag(videoId)]);
      return videos.get(videoId, { isAdmin: true });
    },
  };
}

export type ReprocessingService = ReturnType<typeof createReprocessingService>;
