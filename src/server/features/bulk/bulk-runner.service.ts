import type { BulkAction } from "#contract/videos/admin-videos.ts";
import type { ChangeTag, PublishChanges } from "#server/db/change-tags.ts";
import { isTransactionConflict, type Db } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Actor } from "#server/lib/actor.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import { findStopReason } from "#server/features/auth/job-author.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { deleteVideoFiles } from "#server/features/videos/files/stored-files.service.ts";
import { applyAction, requiredAction, type ActionResult } from "./apply-action.ts";
import * as repository from "./bulk.repository.ts";

/** Minimum time between two progress reports of a job. */
const reportEveryMs = 1000;
/** Maximum number of attempts for a part if PostgreSQL aborts it because of another transaction. */
const maxTries = 5;

export function createBulkRunner(deps: {
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
        actor: actorOf(row),
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
          const stopReason = await findStopReason(db, row, requiredAction(row.action.kind));
          if (stopReason !== null) {
            await repository.failBulkRow(db, id, stopReason);
            break;
          }
          labelIds ??= await findLabels(row.action, actorOf(row));
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

export type BulkRunner = ReturnType<typeof createBulkRunner>;

function actorOf(row: repository.BulkRow): Actor {
  return {
    user: { id: row.created_by, email: row.created_by_email },
    requestId: row.request_id ?? `bulk/${row.id}`,
  };
}
