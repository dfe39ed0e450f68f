import { z } from "zod";
import type { PublishChanges, ChangeTag } from "#server/db/change-tags.ts";
import {
  isDatabaseUnreachable,
  isTransactionConflict,
  type Db,
  type DbOrTrx,
} from "#server/db/connection.ts";
import type { Feature, App } from "#server/http/app.ts";
import { defineJob, type JobQueue, type AnyJobDefinition } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { ListSkeletons } from "#server/features/videos/query/list-skeletons.ts";
import {
  bulkJob,
  bulkJobList,
  bulkPlanRequest,
  bulkPermissions,
  bulkRequest,
  type BulkAction,
  type BulkJob,
  type BulkRequest,
  type BulkTarget,
} from "#contract/videos/admin-videos.ts";
import { reprocessingPlan, type ReprocessingPlan } from "#contract/videos/reprocessing-plan.ts";
import { actorOf, requireAction } from "#server/http/access/policy.ts";
import { applyAction, type ActionResult } from "./apply-action.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { planReprocessing } from "#server/features/videos/replacements/reprocessing.service.ts";
import { findStopReason } from "#server/features/auth/job-author.ts";
import { deleteVideoFiles } from "#server/features/videos/files/stored-files.service.ts";
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

function createBulkService(deps: { db: Db; queue: JobQueue; skeletons: ListSkeletons }) {
  const { db, queue, skeletons } = deps;

  /** Queues the work of a job, unless it is queued already. */
  const enqueue = (trx: DbOrTrx, id: string) =>
    queue.enqueue(trx, "bulk.run", { bulkId: id }, { key: id });

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
        await enqueue(trx, id);
      });
      return presentBulkJob(await getRow(id));
    },

    async requeue(): Promise<void> {
      for (const id of await repository.listInProgress(db)) await enqueue(db, id);
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

type BulkService = ReturnType<typeof createBulkService>;

/** Minimum time between two progress reports of a job. */
const reportEveryMs = 1000;
/** Maximum number of attempts for a part if PostgreSQL aborts it because of another transaction. */
const maxTries = 5;

function createBulkRunner(deps: {
  db: Db;
  clock: Clock;
  storage: Storage;
  queue: JobQueue;
  labels: LabelsService;
  changed: PublishChanges;
  logger: Logger;
}) {
  const { db, clock, labels, changed } = deps;

  /** Returns the ids of the action's labels. Creates missing ones if the action adds labels. */
  async function findLabels(action: BulkAction, actor: Actor): Promise<string[]> {
    if (action.kind !== "add_labels" && action.kind !== "remove_labels") return [];
    const ids: string[] = [];
    for (const name of action.names) {
      const known = await labels.findIdByName(action.label, name);
      if (known !== null) ids.push(known);
      else if (action.kind === "add_labels") {
        const created = await labels
          .create(action.label, { name }, actor)
          .catch(async (error: unknown) => {
            // Another request may have created the label at the same time.
            const id = await labels.findIdByName(action.label, name);
            if (id === null) throw error;
            return { id };
          });
        ids.push(created.id);
      }
    }
    return [...new Set(ids)];
  }

  /** Runs one part in one transaction. Returns null if none are left. */
  function runPart(id: string, labelIds: string[]): Promise<ActionResult | null> {
    return db.transaction().execute(async (trx) => {
      const row = await repository.lockBulkRow(trx, id);
      if (row === null || !repository.isInProgress(row)) return null;
      const ids = await repository.takePart(trx, id);
      if (ids.length === 0) {
        // Cancelling has removed the missing parts.
        const state = row.done < row.total ? "cancelled" : "done";
        await repository.updateBulkRow(trx, id, { state });
        return null;
      }
      const result = await applyAction(trx, row.action, ids, {
        labelIds,
        at: clock.date(),
        actor: actorOfJob(row),
        queue: deps.queue,
      });
      await repository.updateBulkRow(trx, id, {
        state: "running",
        done: row.done + ids.length,
        changed: row.changed + result.changed,
      });
      return result;
    });
  }

  async function runPartAgain(id: string, labelIds: string[]): Promise<ActionResult | null> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await runPart(id, labelIds);
      } catch (error) {
        if (tries === maxTries || !isTransactionConflict(error)) throw error;
      }
    }
  }

  return {
    /** Runs a job in parts. Continues where an interrupted run stopped. */
    async run(id: string, signal: AbortSignal): Promise<void> {
      const row = await repository.findBulkRow(db, id);
      if (row === null || !repository.isInProgress(row)) return;
      let labelIds: string[] | null = null;
      let reportedAt = 0;
      let tags = new Set<ChangeTag>();
      async function report(): Promise<void> {
        const done = tags;
        tags = new Set();
        reportedAt = Date.now();
        await changed(done);
      }
      try {
        for (;;) {
          signal.throwIfAborted();
          const stopReason = await findStopReason(db, row, bulkPermissions[row.action.kind]);
          if (stopReason !== null) {
            await repository.failBulkRow(db, id, stopReason);
            break;
          }
          labelIds ??= await findLabels(row.action, actorOfJob(row));
          const result = await runPartAgain(id, labelIds);
          if (result === null) break;
          for (const tag of result.tags) tags.add(tag);
          if (Date.now() - reportedAt > reportEveryMs) await report();
          await deleteVideoFiles(deps, result.removed);
        }
      } finally {
        await report();
      }
      await repository.deleteOldBulkJobs(db);
    },

    /** Ends a job that can't continue. Completed parts stay applied. */
    fail: (id: string): Promise<void> =>
      repository.failBulkRow(
        db,
        id,
        "Stopped because of an unexpected error. Changes made so far were saved.",
      ),
  };
}

type BulkRunner = ReturnType<typeof createBulkRunner>;

function actorOfJob(row: repository.BulkRow): Actor {
  return {
    user: { id: row.created_by, email: row.created_by_email },
    requestId: row.request_id ?? `bulk/${row.id}`,
  };
}

const params = z.object({ id: z.string().min(1).max(200) });

const changesVideos = ["content.edit", "content.publish", "content.remove"] as const;

function registerBulkRoutes(app: App, { bulk }: { bulk: BulkService }): void {
  const tags = ["bulk actions"];

  app.get(
    "/api/admin/bulk",
    {
      config: { policy: "content.read" },
      schema: { tags, summary: "List the latest bulk actions", response: { 200: bulkJobList } },
    },
    () => bulk.list(),
  );

  app.post(
    "/api/admin/bulk",
    {
      config: { policy: changesVideos, isIdempotent: true },
      schema: {
        tags,
        summary: "Change selected videos, or all that match a filter",
        body: bulkRequest,
        response: { 202: bulkJob },
      },
    },
    async (request, reply) => {
      requireAction(request, bulkPermissions[request.body.action.kind]);
      return reply.status(202).send(await bulk.start(request.body, actorOf(request)));
    },
  );

  app.post(
    "/api/admin/bulk/reprocess/plan",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Estimate the time and space that reprocessing takes",
        body: bulkPlanRequest,
        response: { 200: reprocessingPlan },
      },
    },
    (request) => bulk.planReprocess(request.body.target),
  );

  app.get(
    "/api/admin/bulk/:id",
    {
      config: { policy: "content.read" },
      schema: {
        tags,
        summary: "Get the progress of a bulk action",
        params,
        response: { 200: bulkJob },
      },
    },
    (request) => bulk.get(request.params.id),
  );

  app.post(
    "/api/admin/bulk/:id/cancel",
    {
      config: { policy: changesVideos },
      schema: {
        tags,
        summary: "Cancel a bulk action; finished changes are kept",
        params,
        response: { 200: bulkJob },
      },
    },
    async (request) => {
      const { id, action } = await bulk.get(request.params.id);
      requireAction(request, bulkPermissions[action.kind]);
      return bulk.cancel(id, actorOf(request));
    },
  );
}

/**
 * Runs bulk actions. If an action itself causes an error, it fails. If it is interrupted, it runs
 * again.
 */
function createBulkJob(deps: { runner: BulkRunner; logger: Logger }): AnyJobDefinition {
  const { runner, logger } = deps;
  return defineJob({
    name: "bulk.run",
    payload: z.object({ bulkId: z.uuid() }),
    concurrency: 2,
    async run({ bulkId }, { signal }) {
      try {
        await runner.run(bulkId, signal);
      } catch (error) {
        if (signal.aborted || isDatabaseUnreachable(error)) throw error;
        logger.error({ err: error, bulkId }, "bulk action failed");
        await runner.fail(bulkId);
      }
    },
  });
}

/** Applies one action to many videos in a background job. */
export function createBulkFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  queue: JobQueue;
  storage: Storage;
  labels: LabelsService;
  skeletons: ListSkeletons;
  changed: PublishChanges;
}): Feature {
  const bulk = createBulkService(deps);
  const runner = createBulkRunner(deps);
  return {
    jobs: [createBulkJob({ runner, logger: deps.logger })],
    requeue: bulk.requeue,
    registerRoutes: (app) => registerBulkRoutes(app, { bulk }),
  };
}
