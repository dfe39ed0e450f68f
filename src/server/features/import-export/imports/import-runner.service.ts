import { importActions, type CsvKind } from "#contract/videos/imports.ts";
import { type Db, isDatabaseUnreachable } from "#server/db/connection.ts";
import type { Actor } from "#server/features/audit/audit.service.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Logger } from "#server/lib/logger.ts";
import { findStopReason } from "#server/features/auth/job-author.ts";
import type { CsvFormat, PlanRow } from "../kinds/csv-format.ts";
import * as repository from "./imports.repository.ts";
import { fieldsOf } from "./mapping.ts";

/**
 * Number of rows for which a check stores the results together. A run stores each row before it
 * starts the next.
 */
const checkedAtOnce = 200;
const readAtOnce = 200;

/** Returns whether the row is invalid or the site refused it. Other rows continue. */
const isRowProblem = (error: unknown): error is AppError =>
  error instanceof AppError && error.code !== "internal";

export function createImportRunner(deps: {
  db: Db;
  logger: Logger;
  formats: Record<CsvKind, CsvFormat>;
  /** Checks or applies an import from another site. */
  runSite: (job: repository.ImportRecord, signal: AbortSignal) => Promise<void>;
}) {
  const { db, logger, formats, runSite } = deps;

  type Handle = (row: repository.ImportRow) => Promise<repository.Outcome>;

  /** Determines what each row would do. Two rows about the same entry conflict. */
  function createCheck(plan: PlanRow, { mapping }: repository.ImportRecord): Handle {
    const lines = new Map<string, number>();
    return async (row) => {
      const { outcome, key } = await plan(fieldsOf(row.cells, mapping), row.target_id);
      const line = key === null ? undefined : lines.get(key);
      if (line !== undefined) {
        throw new AppError("conflict", `Line ${line} changes the same entry`);
      }
      if (key !== null) lines.set(key, row.line);
      return outcome;
    };
  }

  function createApply(
    plan: PlanRow,
    { mapping, ...job }: repository.ImportRecord,
    signal: AbortSignal,
  ): Handle {
    const context = { actor: actorOf(job), signal };
    return async (row) => {
      const { outcome, key, apply } = await plan(fieldsOf(row.cells, mapping), row.target_id);
      if (row.outcome === "created" && outcome === "updated" && key !== row.target_id) {
        throw new AppError(
          "conflict",
          "Another entry with this ID, slug or name was created after the check",
        );
      }
      if (outcome !== "unchanged") await apply(context);
      // After a crash, the row itself has made the change, but it wasn't recorded.
      return outcome === "unchanged" ? (row.outcome ?? outcome) : outcome;
    };
  }

  async function resultOf(
    row: repository.ImportRow,
    handle: Handle,
    signal: AbortSignal,
  ): Promise<repository.RowResult> {
    const { position } = row;
    try {
      return { position, outcome: await handle(row), problem: null };
    } catch (error) {
      signal.throwIfAborted();
      if (isDatabaseUnreachable(error)) throw error;
      if (!isRowProblem(error)) logger.error({ err: error, line: row.line }, "a row failed");
      const problem = isRowProblem(error) ? error.message : "Unexpected error. See the server log.";
      return { position, outcome: "problem", problem };
    }
  }

  return {
    /**
     * Checks the rows of an import, or applies those that passed. Continues where a run stopped.
     */
    async run(id: string, signal: AbortSignal): Promise<void> {
      const job = await repository.findImport(db, id);
      if (job === null || (job.state !== "checking" && job.state !== "running")) return;
      if (job.kind === "site") return runSite(job, signal);
      const isRun = job.state === "running";
      const plan = await formats[job.kind].begin();
      const handle = isRun ? createApply(plan, job, signal) : createCheck(plan, job);
      // An interrupted check has lost its keys, so it starts over.
      if (!isRun && job.done > 0) {
        const none = { done: 0, created: 0, updated: 0, unchanged: 0, problems: 0 };
        await repository.updateImport(db, id, none);
      }
      let waiting: repository.RowResult[] = [];
      const store = async () => {
        const results = waiting;
        waiting = [];
        return results.length === 0 || repository.storeResults(db, id, results, isRun);
      };
      for (let after = -1; ;) {
        const rows = await repository.listRowsLeft(db, id, { isRun, after, limit: readAtOnce });
        for (const row of rows) {
          signal.throwIfAborted();
          const stopReason = isRun
            ? await findStopReason(db, job, importActions[job.kind].edit)
            : null;
          if (stopReason !== null) return repository.failImport(db, id, stopReason);
          waiting.push(await resultOf(row, handle, signal));
          if ((isRun || waiting.length >= checkedAtOnce) && !(await store())) return;
        }
        const last = rows.at(-1);
        if (last === undefined) break;
        after = last.position;
      }
      if (!(await store())) return;
      await repository.endPass(db, id, isRun);
      await repository.deleteOldImports(db);
    },

    fail: (id: string): Promise<void> =>
      repository.failImport(
        db,
        id,
        "Stopped because of an unexpected error. Changes made so far were saved.",
      ),
  };
}

/** Returns the author of an import. */
export function actorOf(
  job: Pick<repository.ImportRecord, "id" | "created_by" | "created_by_email" | "request_id">,
): Actor {
  return {
    user: { id: job.created_by, email: job.created_by_email },
    requestId: job.request_id ?? `import/${job.id}`,
  };
}
