import type {
  BulkAction,
  BulkJob,
  BulkRequest,
  BulkTarget,
} from "#contract/videos/admin-videos.ts";
import type { ReprocessingPlan } from "#contract/videos/reprocessing-plan.ts";
import type { Db } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { planReprocessing } from "#server/features/videos/replacements/reprocessing.service.ts";
import type { ListSkeletons } from "#server/features/videos/query/list-skeletons.ts";
import * as repository from "./bulk.repository.ts";

function presentBulkJob(row: repository.BulkRow): BulkJob {
  return {
    id: row.id,
    action: row.action,
    state: row.state,
    total: row.total,
    done: row.done,
    changed: row.changed,
    failureReason: row.failure_reason,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by_email,
  };
}

const listedJobs = 10;
/** Parts are small, so that cancelling takes effect soon and rows aren't locked for long. */
const partSize: Record<BulkAction["kind"], number> = {
  publish: 100,
  unpublish: 100,
  set_premium: 200,
  set_embedding: 200,
  add_labels: 100,
  remove_labels: 100,
  delete: 25,
  reprocess: 25,
};

export function createBulkService(deps: { db: Db; queue: JobQueue; skeletons: ListSkeletons }) {
  const { db, queue, skeletons } = deps;

  async function getRow(id: string): Promise<repository.BulkRow> {
    const row = isUuid(id) ? await repository.findBulkRow(db, id) : null;
    if (row === null) throw new AppError("not_found", "Bulk action not found.");
    return row;
  }

  /** Builds a query for the target's videos. */
  async function findIds(target: BulkTarget) {
    return "ids" in target
      ? repository.existingIds(target.ids)
      : ((await skeletons.matchingIds(target.filter)) ?? repository.existingIds([]));
  }

  return {
    /** Estimates the time and space needed to reprocess these videos. */
    planReprocess: async (target: BulkTarget): Promise<ReprocessingPlan> =>
      planReprocessing(db, await findIds(target)),

    /** Stores which videos match the filter now, and queues the work. */
    async start({ action, target }: BulkRequest, actor: Actor): Promise<BulkJob> {
      const id = newId();
      const ids = await findIds(target);
      await db.transaction().execute(async (trx) => {
        await repository.insertBulkRow(trx, {
          id,
          action: JSON.stringify(action),
          target: JSON.stringify(target),
          created_by: actor.user.id,
          created_by_email: actor.user.email,
          request_id: actor.requestId,
        });
        const total = await repository.insertParts(trx, id, ids, partSize[action.kind]);
        await repository.updateBulkRow(trx, id, { total });
        await recordAudit(trx, actor, {
          action: "bulk.started",
          entity: "bulk",
          entityId: id,
          after: { action, target, total },
        });
        await queue.enqueue(trx, "bulk.run", { bulkId: id }, { key: id });
      });
      return presentBulkJob(await getRow(id));
    },

    /** @throws AppError not_found. */
    async get(id: string): Promise<BulkJob> {
      return presentBulkJob(await getRow(id));
    },

    /** Returns the latest jobs, newest first. */
    async list(): Promise<BulkJob[]> {
      return (await repository.listBulkRows(db, listedJobs)).map(presentBulkJob);
    },

    /** Cancels a job. Completed parts stay applied. @throws AppError not_found. */
    async cancel(id: string, actor: Actor): Promise<BulkJob> {
      await getRow(id);
      // Runs outside the transaction. Otherwise the runner could lock the row for its next part
      // first.
      const removed = await repository.deleteWaitingParts(db, id);
      await db.transaction().execute(async (trx) => {
        const row = await repository.lockBulkRow(trx, id);
        if (row === null) return;
        const isInProgress = repository.isInProgress(row);
        if (!isInProgress && removed === 0) return;
        if (isInProgress) {
          await repository.updateBulkRow(trx, id, { state: "cancelled" });
          await repository.deleteParts(trx, id);
        }
        await recordAudit(trx, actor, {
          action: "bulk.cancelled",
          entity: "bulk",
          entityId: id,
          after: { done: row.done, total: row.total },
        });
      });
      return presentBulkJob(await getRow(id));
    },
  };
}

export type BulkService = ReturnType<typeof createBulkService>;
