import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { TestProject } from "vitest/node";
import {
  connectionOptions,
  createDb,
  createPool,
  type SocketTarget,
} from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { isAlive } from "#server/db/engine/postmaster-file.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { createJobQueue } from "#server/jobs/queue.ts";
import { readDiskSpace } from "#server/lib/disk-space.ts";
import { createLogger, type Logger } from "#server/lib/logger.ts";
import type { ToolReport } from "#server/media/find-tools.ts";
import { createMedia } from "#server/media/media.ts";
import { templateName } from "./template-name.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Test engine and its own database. */
    testEngine: SocketTarget;
    /** Folder for the data of test apps. It is removed when the run ends. */
    testFolder: string;
    /** ffmpeg capabilities of this test run. Null without ffmpeg. */
    toolReport: ToolReport | null;
  }
}

const folderPrefix = "kinora-test-";

/** Files in memory on Linux. */
const memoryRoot = "/dev/shm";
/** Free memory for the databases of a run, which take up to about 1 GB, and the browsers beside them. */
const neededBytes = 4 * 1024 ** 3;

/** Vitest's global set-up: one engine for the whole run, with a migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
  const logger = createLogger("error");
  const dataDir = await mkdtemp(join(await databaseRoot(), `${folderPrefix}${process.pid}-`));
  // Under root, the engine may run as another user.
  await chmod(dataDir, 0o711);
  const testFolder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  await fillDataFolder(dataDir, logger);
  const [engine, toolReport] = await Promise.all([
    startEngine({ dataDir, logger, isDurable: false }),
    createMedia({ logger, env: process.env, workRoot: testFolder }).then(
      ({ report }) => report,
      () => null,
    ),
  ]);

  project.provide("testEngine", engine.target);
  project.provide("testFolder", testFolder);
  project.provide("toolReport", toolReport);
  return async () => {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
    await rm(testFolder, { recursive: true, force: true });
  };
}

/**
 * Fills a data folder with a migrated template database. Copies that of an earlier run if no source
 * that could change it has changed.
 */
async function fillDataFolder(dataDir: string, logger: Logger): Promise<void> {
  const cache = join(import.meta.dirname, "../node_modules/.cache/test-engine");
  const hash = createHash("sha256").update(`${process.arch} ${process.getuid?.()}`);
  for (const path of [
    ...globSync("src/server/{db,jobs}/**/*.ts"),
    "package-lock.json",
  ].toSorted()) {
    if (!path.endsWith(".test.ts")) hash.update(`${path}\0`).update(await readFile(path));
  }
  const cached = join(cache, hash.digest("hex").slice(0, 16));
  // Takes a third of the processor time of Node's own copy.
  const copy = (from: string, to: string) => promisify(execFile)("cp", ["-a", `${from}/.`, to]);
  if (existsSync(cached)) {
    await copy(cached, dataDir);
    return;
  }

  const engine = await startEngine({ dataDir, logger, isDurable: false });
  const admin = new pg.Client(connectionOptions(engine.target));
  await admin.connect();
  await admin.query(`create database ${templateName}`);
  const target = { ...engine.target, database: templateName };
  const db = createDb(createPool(target, 1, logger));
  await migrateToLatest(db);
  await db.destroy();
  // The queue creates its tables here once instead of in every database.
  const queue = await createJobQueue({ target, logger, isWorker: false });
  await queue.stop(0);
  await admin.query(`alter database ${templateName} with allow_connections false`);
  await admin.end();
  await engine.stop();

  // Outside the folder of finished ones, where another run deletes what is outdated.
  const unfinished = `${cache}-${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await copy(dataDir, unfinished);
    await mkdir(cache, { recursive: true });
    for (const name of await readdir(cache)) {
      if (name !== basename(cached)) await rm(join(cache, name), { recursive: true, force: true });
    }
    await rename(unfinished, cached);
  } catch {
    // Another run of the same sources may have finished first.
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Returns the folder for the engine of a run. Each test file creates and drops a database of
 * hundreds of files. On ext4, this takes half of the processor time of the unit tests.
 */
async function databaseRoot(): Promise<string> {
  const free = await readDiskSpace(memoryRoot).then(
    ({ freeBytes }) => freeBytes,
    () => 0,
  );
  return Math.min(free, process.availableMemory()) >= neededBytes ? memoryRoot : tmpdir();
}

/** Removes folders of runs that were killed. Their engines ended with them. */
async function removeAbandoned(): Promise<void> {
  for (const root of [memoryRoot, tmpdir()]) {
    for (const name of await readdir(root).catch(() => [])) {
      if (!name.startsWith(folderPrefix)) continue;
      const pid = Number(name.slice(folderPrefix.length).split("-")[0]);
      if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) continue;
      await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
