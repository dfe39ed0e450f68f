import type { RawBuilder } from "kysely";
import type { BulkAction, BulkJob, BulkRequest } from "../../../contract/admin-videos.ts";
import type { Db } from "../../db/connection.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Actor } from "../../lib/actor.ts";
import { AppError } from "../../lib/app-error.ts";
import { isUuid, newId } from "../../lib/ids.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Storage } from "../../storage/storage.ts";
import { recordAudit, recordAudits } from "../audit/audit.service.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import { sourceKey, videoFolder } from "../../storage/media-address.ts";
import { matchingIds } from "../lists/admin-videos.repository.ts";
import type { AdminVideosService } from "../lists/admin-videos.service.ts";
import { applyToPart, type PartResult } from "./bulk-actions.ts";
import * as repository from "./bulk.repository.ts";

export interface BulkService {
  /** Notes down which videos, then works them off in the background. */
  start(request: BulkRequest, actor: Actor): Promise<BulkJob>;
  get(id: string): Promise<BulkJob>;
  /** The last ones, newest first. */
  list(): Promise<BulkJob[]>;
  /** What is done stays done. @throws AppError not_found. */
  cancel(id: string, actor: Actor): Promise<BulkJob>;
  /** Works a job off, part by part; goes on where an interrupted run stopped. */
  run(id: string, signal: AbortSignal): Promise<void>;
}

const shownJobs = 10;
/** Small enough that a cancel is heard soon and nobody waits long for a row. */
const partSize: Record<BulkAction["kind"], number> = {
  publish: 100,
  unpublish: 100,
  set_premium: 200,
  add_labels: 100,
  remove_labels: 100,
  delete: 25,
};
/** Visitors' caches are emptied at most this often while a job runs. */
const tellEveryMs = 1000;

export function createBulkService(deps: {
  db: Db;
  queue: JobQueue;
  storage: Storage;
  catalog: CatalogService;
  adminVideos: AdminVideosService;
  changed: () => Promise<void>;
  logger: Logger;
}): BulkService {
  const { db, queue, storage, catalog, adminVideos, changed, logger } = deps;

  async function getRow(id: string): Promise<repository.BulkRow> {
    const row = isUuid(id) ? await repository.findBulkRow(db, id) : null;
    if (row === null) throw new AppError("not_found", "There is no such bulk action.");
    return row;
  }

  /** What the list shows for this filter at this moment is what is meant. */
  async function targetIds(target: BulkRequest["target"]): Promise<RawBuilder<{ id: string }>> {
    if ("ids" in target) return repository.existingIds(target.ids);
    const filter = await adminVideos.resolve(target.filter);
    return filter === null ? repository.existingIds([]) : matchingIds(filter);
  }

  /** Ids of the action's names; names that do not exist yet are made where they are to be added. */
  async function findLabels(action: BulkAction, actor: Actor): Promise<string[]> {
    if (action.kind !== "add_labels" && action.kind !== "remove_labels") return [];
    const ids: string[] = [];
    for (const name of action.names) {
      const known = await catalog.findId(action.label, name);
      if (known !== null) ids.push(known);
      else if (action.kind === "add_labels") {
        const made = await catalog
          .create(action.label, { name }, actor)
          .catch(async (error: unknown) => {
            // Somebody else was faster.
            const id = await catalog.findId(action.label, name);
            if (id === null) throw error;
            return { id };
          });
        ids.push(made.id);
      }
    }
    return [...new Set(ids)];
  }

  /** One part in one transaction. Null when nothing is left to do. */
  function runPart(id: string, labelIds: string[]): Promise<PartResult | null> {
    return db.transaction().execute(async (trx) => {
      const row = await repository.lockBulkRow(trx, id);
      // Cancelled, or done by another run.
      if (row === null || (row.state !== "waiting" && row.state !== "running")) return null;
      const ids = await repository.takePart(trx, id);
      if (ids.length === 0) {
        await trx
          .updateTable("bulk_jobs")
          .set({ state: "done", updated_at: new Date() })
          .where("id", "=", id)
          .execute();
        return null;
      }
      const result = await applyToPart(trx, row.action, ids, labelIds);
      await recordAudits(trx, actorOfJob(row), result.entries);
      await trx
        .updateTable("bulk_jobs")
        .set({
          state: "running",
          done: row.done + ids.length,
          changed: row.changed + result.entries.length,
          updated_at: new Date(),
        })
        .where("id", "=", id)
        .execute();
      return result;
    });
  }

  async function removeFiles(removed: PartResult["removed"]): Promise<void> {
    for (const { id, mediaToken } of removed) {
      try {
        await storage.deletePrefix(videoFolder(mediaToken));
        await storage.delete(sourceKey(id));
      } catch (error) {
        logger.warn({ err: error, videoId: id }, "files of a deleted video stay until the sweep");
      }
    }
  }

  return {
    async start(request, actor) {
      const id = newId();
      const ids = await targetIds(request.target);
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto("bulk_jobs")
          .values({
            id,
            action: JSON.stringify(request.action),
            target: JSON.stringify(request.target),
            created_by: actor.user.id,
            created_by_email: actor.user.email,
            request_id: actor.requestId,
          })
          .execute();
        const size = partSize[request.action.kind];
        const total = await repository.insertParts(trx, id, ids, size);
        await trx.updateTable("bulk_jobs").set({ total }).where("id", "=", id).execute();
        await recordAudit(trx, actor, {
          action: "bulk.started",
          entity: "bulk",
          entityId: id,
          after: { ...request, total },
        });
        await queue.enqueue(trx, "admin.bulk", { bulkId: id }, { key: id });
      });
      return repository.presentBulkJob(await getRow(id));
    },

    async get(id) {
      return repository.presentBulkJob(await getRow(id));
    },

    async list() {
      return (await repository.listBulkRows(db, shownJobs)).map(repository.presentBulkJob);
    },

    async cancel(id, actor) {
      await getRow(id);
      await db.transaction().execute(async (trx) => {
        const row = await repository.lockBulkRow(trx, id);
        if (row === null || (row.state !== "waiting" && row.state !== "running")) return;
        await trx
          .updateTable("bulk_jobs")
          .set({ state: "cancelled", updated_at: new Date() })
          .where("id", "=", id)
          .execute();
        await trx.deleteFrom("bulk_job_parts").where("job_id", "=", id).execute();
        await recordAudit(trx, actor, {
          action: "bulk.cancelled",
          entity: "bulk",
          entityId: id,
          after: { done: row.done, total: row.total },
        });
      });
      return repository.presentBulkJob(await getRow(id));
    },

    async run(id, signal) {
      const row = await repository.findBulkRow(db, id);
      if (row === null || (row.state !== "waiting" && row.state !== "running")) return;
      const labelIds = await findLabels(row.action, actorOfJob(row));
      let toldAt = 0;
      for (;;) {
        signal.throwIfAborted();
        const result = await runPart(id, labelIds);
        if (result === null) break;
        await removeFiles(result.removed);
        if (Date.now() - toldAt > tellEveryMs) {
          toldAt = Date.now();
          await changed();
        }
      }
      await changed();
    },
  };
}

function actorOfJob(row: repository.BulkRow): Actor {
  return {
    user: { id: row.created_by, email: row.created_by_email },
    requestId: row.request_id ?? `bulk/${row.id}`,
  };
}
