import { createReadStream } from "node:fs";
import {
  importLimits,
  type CsvKind,
  type ImportDetails,
  type ImportJob,
} from "#contract/videos/imports.ts";
import { siteImportBody, type SiteImportBody } from "#contract/videos/site-imports.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { readCsv, type CsvRecord } from "../read-csv.ts";
import { byteOrderMark, csvLine, withoutGuard } from "#server/lib/write-csv.ts";
import * as repository from "./imports.repository.ts";
import { proposeMapping, requireMapping } from "./mapping.ts";

const listedImports = 10;
const sampleRows = 3;
const rowsAtOnce = 500;
/** Columns of an import from another site, as its problems are exported. */
const siteColumns = ["title", "file"];
const outcomeNames = {
  created: "added",
  updated: "updated",
  unchanged: "already here",
  problem: "refused",
} as const;
const none = { done: 0, created: 0, updated: 0, unchanged: 0, problems: 0 };

async function* exportProblems(
  db: Db,
  { id, columns }: repository.ImportRecord,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine([...columns, "line", "problem"]);
  for (let after = -1; ;) {
    const rows = await repository.listProblemRows(db, id, { after, limit: rowsAtOnce });
    for (const { cells, line, problem } of rows) {
      const own = columns.map((_, at) => withoutGuard(cells[at] ?? ""));
      // Cells beyond the header stay beyond it, so that nothing of the row is lost.
      const extra = cells.slice(columns.length).map(withoutGuard);
      yield csvLine([...own, String(line), problem ?? "", ...extra]);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

/** Exports the result for each video of another site. */
async function* exportReport(db: Db, { id }: repository.ImportRecord): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(["outcome", ...siteColumns, "note"]);
  for (let after = -1; ;) {
    const page = { after, limit: rowsAtOnce, isNoted: false };
    const rows = await repository.listReportRows(db, id, page);
    for (const { cells, outcome, problem, note } of rows) {
      const name = outcome === null ? "" : outcomeNames[outcome];
      yield csvLine([name, ...siteColumns.map((_, at) => cells[at] ?? ""), problem ?? note ?? ""]);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

async function presentDetails(db: Db, record: repository.ImportRecord): Promise<ImportDetails> {
  const limit = importLimits.shownProblems;
  const rows = await repository.listProblemRows(db, record.id, { after: -1, limit });
  const noted = await repository.listReportRows(db, record.id, { after: -1, limit, isNoted: true });
  return {
    ...present(record),
    redirects:
      record.kind === "site" ? siteImportBody.parse(record.options).redirects || null : null,
    notedRows: noted.map(({ line, cells, note }) => ({
      ...{ line, name: nameOf(cells, record.mapping), note: note ?? "" },
    })),
    problemRows: rows.map(({ line, cells, problem }) => ({
      line,
      name: nameOf(cells, record.mapping),
      problem: problem ?? "",
    })),
    sample: (await repository.listFirstRows(db, record.id, sampleRows)).map((cells) =>
      record.columns.map((_, at) => withoutGuard(cells[at] ?? "").slice(0, 100)),
    ),
  };
}

export function createImportsService(deps: {
  db: Db;
  queue: Pick<JobQueue, "enqueue" | "hasUnfinished">;
}) {
  const { db, queue } = deps;

  async function getRecord(id: string): Promise<repository.ImportRecord> {
    const record = isUuid(id) ? await repository.findImport(db, id) : null;
    if (record === null) throw new AppError("not_found", "Import not found.");
    return record;
  }

  /** @throws AppError not_found. */
  const getDetails = async (id: string) => presentDetails(db, await getRecord(id));

  /** Changes the state of an import, and queues its job. */
  async function begin(
    id: string,
    change: (trx: Trx, record: repository.ImportRecord) => Promise<void>,
  ): Promise<ImportJob> {
    await getRecord(id);
    await db.transaction().execute(async (trx) => {
      const record = await repository.lockImport(trx, id);
      if (record !== null) await change(trx, record);
      await queue.enqueue(trx, "import.run", { importId: id });
    });
    return present(await getRecord(id));
  }

  return {
    /**
     * Stores the rows of a local CSV file for a check, and suggests a mapping of its columns.
     * @throws AppError invalid for a file that isn't CSV.
     */
    async create(
      kind: CsvKind,
      { path, name }: { path: string; name: string },
      actor: Actor,
    ): Promise<ImportDetails> {
      const id = newId();
      const total = await countRows(path);
      await db.transaction().execute(async (trx) => {
        const records = readRows(path);
        const head = await records.next();
        const columns = head.done === true ? [] : head.value.cells.map((cell) => cell.trim());
        await repository.insertImport(trx, {
          id,
          kind,
          columns,
          file_name: name,
          mapping: JSON.stringify(proposeMapping(kind, columns)),
          created_by: actor.user.id,
          created_by_email: actor.user.email,
          request_id: actor.requestId,
          total,
        });
        await insertRows(trx, id, records);
      });
      return getDetails(id);
    },

    /** Queues a check of another site in the import folder. The worker reads it. */
    async createSite(options: SiteImportBody, actor: Actor): Promise<ImportJob> {
      const id = newId();
      await db.transaction().execute(async (trx) => {
        await repository.insertImport(trx, {
          ...{ id, kind: "site", state: "checking", columns: siteColumns },
          mapping: JSON.stringify(siteColumns),
          options: JSON.stringify(options),
          file_name: options.path === "" ? "The import folder" : options.path,
          created_by: actor.user.id,
          created_by_email: actor.user.email,
          request_id: actor.requestId,
        });
        await queue.enqueue(trx, "import.run", { importId: id });
      });
      return present(await getRecord(id));
    },

    async requeue(): Promise<void> {
      for (const importId of await repository.listInProgress(db)) {
        if (await queue.hasUnfinished(["import.run"], { importId })) continue;
        await queue.enqueue(db, "import.run", { importId }, { key: importId });
      }
    },

    /** @throws AppError not_found. */
    get: async (id: string): Promise<ImportJob> => present(await getRecord(id)),
    getDetails,
    /** Returns whether an import from another site publishes its videos. @throws AppError. */
    publishes: async (id: string): Promise<boolean> => {
      const { kind, options } = await getRecord(id);
      return kind === "site" && siteImportBody.parse(options).publishes;
    },
    /** Returns the latest imports, newest first. */
    list: async (): Promise<ImportJob[]> =>
      (await repository.listImports(db, listedImports)).map(present),

    /** Determines in the background what each row would do. @throws AppError invalid, conflict. */
    check: (id: string, mapping: (string | null)[]): Promise<ImportJob> =>
      begin(id, async (trx, { kind, columns, state }) => {
        if (kind === "site" || (state !== "draft" && state !== "checked")) throw notNow();
        requireMapping(kind, columns, mapping);
        await repository.resetRows(trx, id);
        const values = { ...none, mapping: JSON.stringify(mapping), state: "checking" as const };
        await repository.updateImport(trx, id, values);
      }),

    /** Applies the rows that have no problem, in the background. @throws AppError conflict. */
    start: (id: string, actor: Actor): Promise<ImportJob> =>
      begin(id, async (trx, record) => {
        const { kind, state, file_name: name, total, unchanged, problems } = record;
        if (state !== "checked") throw notNow();
        await repository.updateImport(trx, id, {
          state: "running",
          created: 0,
          updated: 0,
          // These rows have nothing to apply.
          done: unchanged + problems,
          created_by: actor.user.id,
          created_by_email: actor.user.email,
          request_id: actor.requestId,
        });
        await recordAudit(trx, actor, {
          action: "import.started",
          entity: "import",
          entityId: id,
          after: { kind, name, total, problems },
        });
      }),

    /** Cancels the import. Rows already applied stay. @throws AppError not_found. */
    async cancel(id: string, actor: Actor): Promise<ImportJob> {
      await getRecord(id);
      await db.transaction().execute(async (trx) => {
        const record = await repository.lockImport(trx, id);
        if (record === null || ["done", "cancelled", "failed"].includes(record.state)) return;
        await repository.updateImport(trx, id, { state: "cancelled" });
        if (record.state !== "running") return;
        const { kind, file_name: name, done, total } = record;
        await recordAudit(trx, actor, {
          action: "import.cancelled",
          entity: "import",
          entityId: id,
          after: { kind, name, done, total },
        });
      });
      return present(await getRecord(id));
    },

    /**
     * Exports the rows that have a problem as a file to correct and import again. For another site,
     * exports the results for all its videos.
     */
    async *problems(id: string): AsyncIterable<string> {
      const record = await getRecord(id);
      yield* record.kind === "site" ? exportReport(db, record) : exportProblems(db, record);
    },
  };
}

export type ImportsService = ReturnType<typeof createImportsService>;

const notNow = () =>
  new AppError("conflict", "This import is already running or finished. Reload the page.");

/** Returns the name by which users recognise a row. */
function nameOf(cells: readonly string[], mapping: readonly (string | null)[]): string {
  const names = ["title", "name", "slug", "code", "file", "address", "id"];
  const at = names.map((name) => mapping.indexOf(name)).find((each) => (cells[each] ?? "") !== "");
  return withoutGuard(cells[at ?? 0] ?? "").slice(0, 200);
}

function present(record: repository.ImportRecord): ImportJob {
  const { id, kind, state, columns, mapping, total, done } = record;
  const { created, updated, unchanged, problems } = record;
  return {
    id,
    kind,
    state,
    columns,
    mapping,
    total,
    done,
    created,
    updated,
    unchanged,
    problems,
    fileName: record.file_name,
    failureReason: record.failure_reason,
    note: record.note,
    createdAt: record.created_at.toISOString(),
    createdBy: record.created_by_email,
  };
}

/** Reads a CSV file. Skips rows whose cells are all empty, as spreadsheets write them. */
async function* readRows(path: string): AsyncGenerator<CsvRecord> {
  for await (const record of readCsv(decode(createReadStream(path)))) {
    if (record.cells.some((cell) => cell.trim() !== "")) yield record;
  }
}

/**
 * Counts the rows below the header before any of them is stored, so that a file that is refused
 * costs neither a long transaction nor half a million inserts.
 * @throws AppError invalid for a file that isn't CSV, or that has no rows or too many.
 */
async function countRows(path: string): Promise<number> {
  let total = -1;
  for await (const _ of readRows(path)) {
    total += 1;
    if (total <= importLimits.maxRows) continue;
    const limit = importLimits.maxRows.toLocaleString("en");
    throw new AppError(
      "invalid",
      `The file has more than ${limit} rows. Split it into smaller files.`,
    );
  }
  if (total <= 0) throw new AppError("invalid", "The file has no rows below the header.");
  return total;
}

async function insertRows(
  trx: Trx,
  importId: string,
  records: AsyncIterable<CsvRecord>,
): Promise<void> {
  let position = 0;
  let part: Parameters<typeof repository.insertRows>[1][number][] = [];
  for await (const { line, cells } of records) {
    const about = { import_id: importId, position, target_id: newId() };
    part.push({ ...about, line, cells, outcome: null, problem: null });
    position += 1;
    if (part.length < rowsAtOnce) continue;
    await repository.insertRows(trx, part);
    part = [];
  }
  if (part.length > 0) await repository.insertRows(trx, part);
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new AppError("invalid", "The file isn't UTF-8 text. Save it as CSV with UTF-8 encoding.");
  }
}
