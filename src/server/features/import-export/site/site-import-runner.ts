import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { siteImportBody, type SiteImportBody } from "#contract/videos/site-imports.ts";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newId } from "#server/lib/ids.ts";
import { findStopReason } from "#server/features/auth/job-author.ts";
import { actorOf } from "../imports/import-runner.service.ts";
import * as repository from "../imports/imports.repository.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { outcomeFolders } from "../watch/move-files.ts";
import type { OpenSource } from "./read-source.ts";
import type { ImportChoices } from "./item-writer.ts";
import { describePlan, findShortage, type SiteImports } from "./site-imports.service.ts";
import { isRefused, type SourceItem } from "./source-item.ts";

const readAtOnce = 200;

/** Runs imports of other sites that the back office starts, in the process with the import folder. */
export function createSiteImportRunner(deps: {
  db: Db;
  importDir: string | null;
  settings: Pick<SettingsService, "current">;
  siteImports: SiteImports;
}) {
  const { db, importDir, settings, siteImports } = deps;

  /** @throws AppError if the path isn't in the import folder. */
  async function findInside(path: string): Promise<string> {
    if (importDir === null) throw new AppError("not_found", "This server has no import folder.");
    const root = await realpath(importDir).catch(() => null);
    const found = await realpath(join(importDir, path)).catch(() => null);
    const isInside =
      root !== null && (found === root || found?.startsWith(`${root}${sep}`) === true);
    if (!isInside || found === null) {
      throw new AppError("not_found", `"${path}" isn't in the import folder.`);
    }
    return found;
  }

  async function open({ path, from, actorsFrom }: SiteImportBody): Promise<OpenSource> {
    const found = await findInside(path);
    const { watchFolder } = await settings.current();
    // What the watched folder has imported isn't imported again.
    const leavesOut = watchFolder && found === (await findInside("")) ? outcomeFolders : [];
    return siteImports.open(found, { from, actorsFrom, leavesOut });
  }

  /** Reads the map of redirects, if there is one. @param trialFor only checks it. */
  async function readRedirects(
    { redirects }: SiteImportBody,
    options: { trialFor?: OpenSource } = {},
  ): Promise<{ id: string; name: string; problem: string }[]> {
    if (redirects === "") return [];
    const path = await findInside(redirects);
    const { problems } = await siteImports.addRedirects(path, options);
    return problems.map((problem) => ({ id: newId(), name: redirects, problem }));
  }

  async function check(
    job: repository.ImportRecord,
    source: OpenSource,
    { choices, options }: { choices: ImportChoices; options: SiteImportBody },
  ): Promise<void> {
    const plan = await siteImports.plan(source, choices);
    const shortage = findShortage(plan);
    if (shortage !== null) throw new AppError("storage_full", shortage);
    const redirects = await readRedirects(options, { trialFor: source });
    const outcomes = { new: "created", known: "unchanged", refused: "problem" } as const;
    const rows = plan.entries.map(({ entry, outcome, note }, position) => ({
      ...{ import_id: job.id, position, line: position + 1, target_id: newId() },
      cells: isRefused(entry) ? ["", entry.path] : [entry.title, entry.file],
      outcome: outcomes[outcome],
      problem: outcome === "refused" ? note : null,
      note: outcome === "refused" || note === "" ? null : note,
    }));
    const note = describePlan(plan).join(" ");
    await db.transaction().execute(async (trx) => {
      await repository.storeCheck(trx, job.id, rows, note);
      await repository.addProblems(trx, job.id, redirects);
    });
  }

  async function apply(
    job: repository.ImportRecord,
    source: OpenSource,
    {
      options,
      choices,
      action,
      signal,
    }: {
      options: SiteImportBody;
      choices: ImportChoices;
      action: "content.edit" | "content.publish";
      signal: AbortSignal;
    },
  ): Promise<void> {
    const items = new Map<string, SourceItem>();
    for (const entry of source.entries) if (!isRefused(entry)) items.set(entry.file, entry);
    const actor = actorOf(job);
    const addRow = async (row: repository.ImportRow): Promise<repository.RowResult> => {
      const file = row.cells[1] ?? "";
      try {
        const item = items.get(file);
        if (item === undefined) throw new AppError("not_found", "its file is missing now");
        const { note } = await siteImports.add(source, item, { ...choices, actor, signal });
        const { position } = row;
        return { position, outcome: "created", problem: null, note: note === "" ? null : note };
      } catch (error) {
        signal.throwIfAborted();
        const problem = siteImports.explain(error, file);
        return { position: row.position, outcome: "problem", problem };
      }
    };
    for (let after = -1; ;) {
      const page = { isRun: true, after, limit: readAtOnce };
      const rows = await repository.listRowsLeft(db, job.id, page);
      for (const row of rows) {
        signal.throwIfAborted();
        const stopReason = await findStopReason(db, job, action);
        if (stopReason !== null) return repository.failImport(db, job.id, stopReason);
        const isStored = await repository.storeResults(db, job.id, [await addRow(row)], true);
        await siteImports.announce();
        if (!isStored) return;
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.position;
    }
    await siteImports.addPlaylists(source, actor);
    await repository.addProblems(db, job.id, await readRedirects(options));
    await repository.endPass(db, job.id, true);
    await repository.deleteOldImports(db);
  }

  /** Checks or applies an import. An interrupted one continues with the files that are left. */
  return async function run(job: repository.ImportRecord, signal: AbortSignal): Promise<void> {
    const options = siteImportBody.parse(job.options);
    const choices = { publishes: options.publishes, counts: options.counts, links: false };
    const action = options.publishes ? "content.publish" : "content.edit";
    try {
      const source = await open(options);
      try {
        if (job.state === "checking") await check(job, source, { choices, options });
        else await apply(job, source, { options, choices, action, signal });
      } finally {
        await source.close();
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      await repository.failImport(db, job.id, error.message);
    }
  };
}
