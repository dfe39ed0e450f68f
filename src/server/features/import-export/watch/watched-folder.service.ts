import { lstat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { WatchedFolder } from "#contract/videos/watched-folder.ts";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import { AppError, codeOf } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import { addCounter, type Metrics } from "#server/lib/metrics/metrics.ts";
import { readWatchState } from "#server/processes/watch-state.repository.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { baseOf, readVideoFile } from "../site/folder.reader.ts";
import type { SiteImports } from "../site/site-imports.service.ts";
import { cleanItem, type SourceItem } from "../site/source-item.ts";
import {
  createFolderListing,
  FolderGone,
  listCandidates,
  type Candidate,
  type Listing,
} from "./list-folder.ts";
import { moveFiles } from "./move-files.ts";
import { rememberFiles } from "./remember-files.ts";
import * as repository from "./watched-files.repository.ts";
import type { WatchedRow } from "./watched-files.repository.ts";

/** Actor of imported files in the audit log. */
const watcher: Actor = {
  user: { id: null, email: "watched folder" },
  requestId: "watched-folder",
};

/** Maximum number of files per look. The next look continues, and also sees newer files. */
const filesPerLook = 25;
/** Time for which one job repeats its look, a little less than the time between two jobs. */
const watchMs = 50_000;
/** Maximum duration of a job while files are left to import. */
const importMs = 10 * 60_000;
/** Time until a file is tried again, for example when the disk of the site is full. */
const retryMs = 5 * 60_000;
/** Codes of errors of a disk rather than of a file. */
const diskErrors = new Set(
  "EIO ESTALE ENOTCONN EHOSTDOWN ETIMEDOUT ENODEV ENXIO EBUSY EAGAIN".split(" "),
);
/** Attempts for a file that can't be read, or that fails for an unknown reason. */
const maxAttempts = 5;

const isGone = async (localPath: string | null): Promise<boolean> =>
  localPath !== null && (await lstat(localPath).catch(() => null)) === null;

/** Makes each file its own origin, because the same file added again is another video. */
const withOwnId = (item: SourceItem, { id, path }: WatchedRow): SourceItem => ({
  ...item,
  source: "watched folder",
  sourceId: `${path.slice(0, 400).toWellFormed()} (${id})`,
});

interface Deps {
  db: Db;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  siteImports: SiteImports;
  requireFolder: (listing: Listing) => Promise<void>;
}

/** Imports single files of the folder, and moves them away. */
function createFileImport({ db, clock, logger, metrics, siteImports, requireFolder }: Deps) {
  const imported = addCounter(
    metrics,
    "kinora_watched_files_total",
    "Files of the watched folder, by result.",
    [{ result: "imported" }, { result: "failed" }],
  );

  /** Moves a file with its sidecars, unless a second video needs them, too. */
  async function moveAway(
    listing: Listing,
    row: WatchedRow,
    { path, localPath, file }: Candidate,
    reason: string | null,
  ): Promise<void> {
    const { root, files, sidecars, canMove } = listing;
    if (!canMove || localPath === null) return;
    const base = baseOf(path);
    const others = sidecars.videos(base).filter((each) => each.path !== path);
    const isLast = (
      await Promise.all(others.map((each) => isGone(files.localPath(each.path))))
    ).every((gone) => gone);
    const beside = file !== null && isLast ? sidecars.all(base) : [];
    const isMoved = await moveFiles(root, reason === null ? "done" : "failed", {
      file: localPath,
      sidecars: beside.flatMap((each) => files.localPath(each.path) ?? []),
      expected: file,
      reason,
    });
    if (isMoved) await repository.updateRow(db, row, { is_moved: true });
  }

  async function fail(
    listing: Listing,
    row: WatchedRow,
    candidate: Candidate,
    reason: string,
  ): Promise<void> {
    await repository.updateRow(db, row, { state: "failed", note: reason });
    imported.inc({ result: "failed" });
    logger.warn({ path: candidate.path, reason }, "a file of the watched folder was refused");
    await moveAway(listing, row, candidate, reason);
  }

  /** Decides what becomes of a file that couldn't be imported. @throws FolderGone. */
  async function decide(
    listing: Listing,
    row: WatchedRow,
    candidate: Candidate,
    error: unknown,
  ): Promise<void> {
    await requireFolder(listing);
    const { localPath, path } = candidate;
    // Removed in the meantime. The next look forgets it.
    if (await isGone(localPath)) return;
    const message = siteImports.explain(error, path);
    const isOurs =
      error instanceof AppError
        ? ["storage_full", "storage_unwritable", "unavailable", "conflict"].includes(error.code)
        : // Errors of the file itself are refusals, so this is the site's own disk.
          /^E[A-Z]+$/.test(codeOf(error) ?? "");
    const cause = error instanceof Error ? codeOf(error.cause) : undefined;
    const isSure =
      error instanceof AppError && error.code !== "internal" && !diskErrors.has(cause ?? "");
    const attempts = row.attempts + 1;
    if (!isOurs && (isSure || attempts >= maxAttempts)) {
      return fail(listing, row, candidate, message);
    }
    const retryAt = new Date(clock.now() + retryMs);
    await repository.updateRow(db, row, { attempts, note: message, retry_at: retryAt });
  }

  async function importFile(
    listing: Listing,
    [row, candidate]: [WatchedRow, Candidate],
    { publishes, signal }: { publishes: boolean; signal: AbortSignal },
  ): Promise<void> {
    const { file, refusal } = candidate;
    if (file === null) return fail(listing, row, candidate, refusal ?? "");
    const { files, sidecars } = listing;
    try {
      const options = { sidecars, actorsFrom: null, now: clock.date(), isWatched: true };
      const item = cleanItem(await readVideoFile(files, file, options), options.now);
      const before = await siteImports.findImported(item);
      // Imported with everything else in the folder, before it was watched.
      const isKnown = before !== null && file.modifiedAt < before.at;
      const { videoId, outcome, note } = isKnown
        ? { videoId: before.videoId, outcome: "added", note: "already imported from the folder" }
        : await siteImports.add({ files }, withOwnId(item, row), {
            ...{ publishes, counts: false, links: false, actor: watcher, signal },
          });
      await repository.updateRow(db, row, {
        ...{ state: "done", video_id: videoId, retry_at: null },
        ...(outcome === "added" ? { note: note === "" ? null : note } : {}),
      });
      if (outcome === "added") imported.inc({ result: "imported" });
    } catch (error) {
      signal.throwIfAborted();
      if (isDatabaseUnreachable(error)) throw error;
      return decide(listing, row, candidate, error);
    }
    await moveAway(listing, row, candidate, null);
  }

  return { moveAway, importFile };
}

/** Imports files that appear in the server's import folder, which it lists periodically. */
export function createWatchedFolder(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  importDir: string | null;
  settings: SettingsService;
  siteImports: SiteImports;
}) {
  const { db, clock, logger, importDir, settings } = deps;
  const { list, requireFolder } = createFolderListing(db);
  const { moveAway, importFile } = createFileImport({ ...deps, requireFolder });

  /** @returns whether files are left that could be imported now. */
  async function lookInto(root: string, signal: AbortSignal): Promise<boolean> {
    const { watchPublishes: publishes, watchRestS } = await settings.current();
    const listing = await list(root);
    const { place, isEmpty } = listing;
    const candidates = await listCandidates(listing);
    const { due, unmoved } = await rememberFiles(db, listing, {
      ...{ candidates, restS: watchRestS, now: clock.date() },
    });
    const noteLook = () =>
      repository.noteLook(db, {
        ...{ problem: null, looked_at: clock.date() },
        ...(isEmpty ? {} : { place }),
      });
    await noteLook();
    for (const [row, candidate] of unmoved.slice(0, filesPerLook)) {
      signal.throwIfAborted();
      // Its note is the reason, which the text beside the file repeats.
      const reason = row.state === "failed" ? (row.note ?? "") : null;
      await moveAway(listing, row, candidate, reason);
    }
    for (const each of due.slice(0, filesPerLook)) {
      signal.throwIfAborted();
      await importFile(listing, each, { publishes, signal });
      await noteLook();
    }
    return due.length > filesPerLook;
  }

  /**
   * Looks once into the folder, if it is watched: imports the files that have rested, and remembers
   * the others. Safe to repeat after a crash at any point, and to run in two processes.
   * @returns whether files are left that could be imported now.
   */
  async function look(signal: AbortSignal): Promise<boolean> {
    const { watchFolder } = await settings.current();
    if (!watchFolder || importDir === null) return false;
    try {
      return await lookInto(importDir, signal);
    } catch (error) {
      if (!(error instanceof FolderGone)) throw error;
      const fields = { folder: importDir, reason: error.message };
      warnLimited(logger, "watched-folder", fields, "couldn't read the watched folder");
      await repository.noteLook(db, { problem: error.message });
      return false;
    } finally {
      await repository.deleteOldRows(db);
    }
  }

  return {
    look,

    /**
     * Looks repeatedly for most of a minute, until the schedule starts the next job. Continues
     * without a pause while files are left, for up to `importMs`.
     */
    async watch(signal: AbortSignal): Promise<void> {
      const startedAt = performance.now();
      const isBefore = (ms: number) => performance.now() - startedAt < ms;
      for (;;) {
        signal.throwIfAborted();
        const hasMore = await look(signal);
        const { watchFolder, watchRestS } = await settings.current();
        if (!watchFolder) return;
        if (hasMore && isBefore(importMs)) continue;
        if (!isBefore(watchMs - watchRestS * 1000)) return;
        await wait(watchRestS * 1000, undefined, { signal });
      }
    },

    async getState(): Promise<WatchedFolder> {
      const rows = await repository.listShownRows(db);
      const { lookedAt, ...state } = await readWatchState(db);
      return {
        ...state,
        lookedAt: lookedAt?.toISOString() ?? null,
        files: rows.map(({ video_id: videoId, updated_at: at, ...file }) => ({
          ...file,
          videoId,
          at: at.toISOString(),
        })),
      };
    },

    /** Forgets the files that failed. Those that are still in their place are tried again. */
    async clearFailed(actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const count = await repository.deleteFailed(trx);
        if (count === 0) return;
        await recordAudit(trx, actor, {
          action: "watched-folder.cleared",
          entity: "watched-folder",
          entityId: null,
          before: { failed: count },
        });
      });
    },
  };
}

export type WatchedFolderService = ReturnType<typeof createWatchedFolder>;
