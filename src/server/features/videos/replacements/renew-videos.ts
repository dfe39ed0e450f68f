import type { RawBuilder } from "kysely";
import type { RenewalPlan } from "#contract/videos/renewals.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newId } from "#server/lib/ids.ts";
import { estimateLadderS } from "#server/media/plan/estimate.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { enqueueProcessing } from "../processing-state/enqueue-processing.ts";
import { lockVideoRow, type VideoRow } from "../videos.repository.ts";
import { checkUnchanged } from "./check-unchanged.ts";
import { deleteReplacement, insertRenewal, sumForReprocessing } from "./replacements.repository.ts";

export const originalIsGone =
  "The original file of this video no longer exists, so it can't be reprocessed. Replace its file instead.";

/**
 * Queues a video for reprocessing. The caller must have locked its row.
 * @param options.isComplete true to make all files again, not only the ladder.
 * @throws AppError conflict if it isn't ready, is being processed, or its original is deleted.
 */
export async function renewVideo(
  trx: Trx,
  queue: JobQueue,
  row: VideoRow,
  actor: Actor,
  { id = newId(), isComplete = false }: { id?: string; isComplete?: boolean } = {},
): Promise<void> {
  if (row.status === "failed") throw new AppError("conflict", "This video isn't ready yet.");
  if (row.dropped_bytes !== null) throw new AppError("conflict", originalIsGone);
  const failed = await checkUnchanged(trx, row);
  if (failed !== null) await deleteReplacement(trx, failed.id);
  await insertRenewal(trx, id, row, isComplete, {
    uploaded_by: actor.user.id,
    uploaded_by_email: actor.user.email,
  });
  const first = isComplete ? "video.publish" : "video.finish";
  await enqueueProcessing(queue, trx, first, id, { isRenewal: true });
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
export async function renewVideos(
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
      await renewVideo(trx, queue, row, actor);
      count += 1;
    } catch (error) {
      if (!(error instanceof AppError && error.code === "conflict")) throw error;
    }
  }
  return count;
}

/** Size to assume for a video whose size is unknown. */
const usual = { width: 1280, height: 720 };

/** Estimates the cost of `renewVideos`. @param ids query for ids; null for all videos. */
export async function planRenewals(
  db: Db,
  ids: RawBuilder<{ id: string }> | null,
): Promise<RenewalPlan> {
  const plan = { videos: 0, ready: 0, underWay: 0, processorS: 0, extraBytes: 0 };
  for (const group of await sumForReprocessing(db, ids)) {
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
