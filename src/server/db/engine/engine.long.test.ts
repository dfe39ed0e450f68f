import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { connectionOptions } from "../connection.ts";
import { createLogger } from "#server/lib/logger.ts";
import { type Engine, type EngineOptions, startEngine } from "./engine.ts";
import { isClusterServer, listClusterServers } from "./postmaster-file.ts";
import { findLaunch } from "./privileges.ts";
import { socketDirFor } from "./socket-dir.ts";

const isRoot = process.getuid?.() === 0;
const ownerScript = fileURLToPath(
  new URL("../../../../test/fixtures/engine-owner.ts", import.meta.url),
);

let dataDir: string;
const engines: Engine[] = [];
const owners: ChildProcess[] = [];

// Creating a cluster is slow, so most tests start from a copy of this one.
let seedDir: string;
// Deleted once at the end, because creating files is slow right after deletions.
let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "kinora-engine-")));
  await chmod(root, 0o711);
  seedDir = await makeFolder("seed-");
  await (await startEngine({ dataDir: seedDir, logger: createLogger("silent") })).stop();
});

afterAll(() => rm(root, { recursive: true, maxRetries: 20, retryDelay: 50 }));

beforeEach(async () => {
  dataDir = await makeFolder("data-");
  // Takes a third of the processor time of Node's own copy.
  await promisify(execFile)("cp", ["-a", join(seedDir, "postgres"), clusterDir()]);
});

/** Creates a folder that the engine's user can enter. Under root, that may be another user. */
async function makeFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(root, prefix));
  await chmod(folder, 0o711);
  return folder;
}

/** Clears the folder for tests that create a cluster. */
const emptyDataDir = () => rm(clusterDir(), { recursive: true });

afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill("SIGKILL");
  for (const engine of engines.splice(0).toReversed()) await engine.stop();
  // The engine of a killed owner takes a moment to end.
  await vi.waitUntil(async () => (await listClusterServers(clusterDir())).length === 0, 30_000);
  await rm(socketDirFor(clusterDir()), { recursive: true, force: true });
});

const clusterDir = () => join(dataDir, "postgres");

/** Starts an engine that doesn't wait for the disk unless its data must survive a kill. */
async function start(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await startEngine({
    dataDir,
    logger: createLogger("silent"),
    isDurable: false,
    ...options,
  });
  engines.push(engine);
  return engine;
}

/** Starts another process that owns the engine. Resolves once it is running. */
async function startOwner(...args: string[]): Promise<{
  process: ChildProcess;
  enginePid: number;
  isOwner: boolean;
}> {
  const child = spawn(process.execPath, [ownerScript, dataDir, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  owners.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const { pid, isOwner }: { pid: number; isOwner: boolean } = JSON.parse(line);
    return { process: child, enginePid: pid, isOwner };
  }
  throw new Error("the owner ended before it was up");
}

async function query(engine: Engine, text: string): Promise<unknown[]> {
  const client = new pg.Client({ ...target(engine), connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows.flat();
  } finally {
    await client.end().catch(() => undefined);
  }
}

const target = (engine: Engine) => connectionOptions(engine.target);

/** Retries until the engine responds, because connections fail during a restart. */
function queryWhenUp(engine: Engine, text: string): Promise<unknown[]> {
  return vi.waitFor(() => query(engine, text), { timeout: 30_000, interval: 50 });
}

test("starts in an empty folder, keeps its data, and leaves no process", async () => {
  await emptyDataDir();
  const first = await start({ isDurable: true });
  expect(first.isOwner()).toBe(true);
  await query(first, "create table t as select 'Ünïcode' as name");
  expect(await query(first, "select upper(name) from t")).toEqual(["ÜNÏCODE"]);
  expect(await query(first, "show listen_addresses")).toEqual([""]);
  expect((await stat(first.socketDir)).mode & 0o777).toBe(0o700);
  await first.stop();
  expect(await listClusterServers(clusterDir())).toEqual([]);
  expect(await readdir(first.socketDir)).toEqual([]);

  const second = await start();
  expect(await query(second, "select name from t")).toEqual(["Ünïcode"]);
});

test("writes durably by default", async () => {
  const engine = await start({ isDurable: undefined });
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit", "data_checksums"]) {
    expect([setting, ...(await query(engine, `show ${setting}`))]).toEqual([setting, "on"]);
  }
});

test("shares the running engine with a second start and keeps it running when the second one stops", async () => {
  const owner = await start();
  const guest = await start();
  expect(guest.pid()).toBe(owner.pid());
  expect(guest.isOwner()).toBe(false);
  await guest.stop();
  expect(await query(owner, "select 1")).toEqual([1]);
});

test.each([
  ["beside the cluster", "", true],
  ["in a folder with a comma", 'd, "e"', true],
  ["in the temporary folder", "long/".repeat(20), false],
])(
  "continues a second start after the first one stops, with the socket %s",
  async (_where, below, isBeside) => {
    const long = join(dataDir, below);
    await mkdir(long, { recursive: true });
    if (below !== "") await rename(clusterDir(), join(long, "postgres"));
    dataDir = long;
    const owner = await start();
    expect(owner.socketDir === join(long, "postgres-run")).toBe(isBeside);
    const guest = await start();
    await query(guest, "create table t as select 7 as n");
    await owner.stop();
    await vi.waitUntil(() => guest.isOwner(), { timeout: 30_000 });
    expect(await queryWhenUp(guest, "select n from t")).toEqual([7]);
    await guest.stop();
  },
);

test("restarts a killed engine without losing committed data", async () => {
  const engine = await start({ isDurable: true });
  await query(engine, "create table t (n int)");
  for (let round = 1; round <= 3; round += 1) {
    await query(engine, `insert into t values (${round})`);
    const killed = engine.pid();
    process.kill(killed, "SIGKILL");
    await vi.waitUntil(() => engine.pid() !== killed, { timeout: 30_000 });
    expect(await queryWhenUp(engine, "select count(*)::int from t")).toEqual([round]);
  }
});

test("leaves no process after a stop during a restart", async () => {
  for (const waitMs of [0, 40, 120]) {
    const engine = await start();
    process.kill(engine.pid(), "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await engine.stop();
    await expect.poll(() => listClusterServers(clusterDir())).toEqual([]);
  }
});

test("ends the engine after a kill -9 of its owner and starts again next time", async () => {
  const owner = await startOwner();
  owner.process.kill("SIGKILL");
  const engine = await start();
  await queryWhenUp(engine, "select 1");
  await vi.waitUntil(() => engine.isOwner(), { timeout: 30_000 });
  expect(engine.pid()).not.toBe(owner.enginePid);
  expect(await isClusterServer(owner.enginePid, clusterDir())).toBe(false);
});

test("lets a guest take over when the owner is killed", async () => {
  const owner = await startOwner();
  const guest = await start();
  expect(guest.isOwner()).toBe(false);
  await query(guest, "create table t as select 7 as n");
  owner.process.kill("SIGKILL");
  await vi.waitUntil(() => guest.isOwner(), { timeout: 30_000 });
  expect(await queryWhenUp(guest, "select n from t")).toEqual([7]);
});

test("ends an orphaned engine with its last guest", async () => {
  const owner = await startOwner("untied");
  const [guest, lastGuest] = [await start(), await start()];
  owner.process.kill("SIGKILL");
  await vi.waitUntil(() => owner.process.signalCode !== null, 30_000);
  const client = new pg.Client(target(lastGuest));
  await client.connect();
  await guest.stop();
  expect(await isClusterServer(owner.enginePid, clusterDir())).toBe(true);
  await client.end();
  await lastGuest.stop();
  expect(await isClusterServer(owner.enginePid, clusterDir())).toBe(false);
});

test("shares one engine between processes that start at once", async () => {
  await emptyDataDir();
  const all = await Promise.all([startOwner(), startOwner(), startOwner(), start()]);
  const pids = all.map((each) => ("enginePid" in each ? each.enginePid : each.pid()));
  expect(new Set(pids).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(["postgres", "postgres-run"]);
});

test("recreates a cluster after an interrupted creation", async () => {
  await emptyDataDir();
  const child = spawn(process.execPath, [ownerScript, dataDir], { stdio: "ignore" });
  owners.push(child);
  const unfinished = join(dataDir, `postgres.init-${child.pid}`);
  await vi.waitUntil(() => existsSync(join(unfinished, "global")), {
    timeout: 30_000,
    interval: 2,
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(existsSync(clusterDir())).toBe(false);
  const engine = await start();
  expect(await query(engine, "select 1")).toEqual([1]);
  expect(await readdir(dataDir)).toEqual(["postgres", "postgres-run"]);
});

test("starts despite an old lock with another program's process id", async () => {
  const first = await start();
  const lock = await readFile(join(clusterDir(), "postmaster.pid"), "utf8");
  await first.stop();
  const foreign = lock.replace(/^\d+/, String(process.ppid));
  await writeFile(join(clusterDir(), "postmaster.pid"), foreign);
  await writeFile(join(first.socketDir, ".s.PGSQL.5432.lock"), foreign);
  expect(await query(await start(), "select 1")).toEqual([1]);
});

test("starts despite an empty lock after a power failure", async () => {
  const lock = join(clusterDir(), "postmaster.pid");
  await writeFile(lock, "");
  await utimes(lock, new Date(0), new Date(0));
  expect(await query(await start(), "select 1")).toEqual([1]);
});

test("ends the backends of a dead server before the next one starts", async () => {
  const engine = await start({ orphanGraceMs: 200 });
  const client = new pg.Client(target(engine));
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const backend = rows[0]?.pid ?? 0;
  process.kill(backend, "SIGSTOP");
  process.kill(engine.pid(), "SIGKILL");
  expect(await queryWhenUp(engine, "select 1")).toEqual([1]);
  expect(await isClusterServer(backend, clusterDir())).toBe(false);
  await client.end().catch(() => undefined);
});

test("recreates a deleted socket", async () => {
  const engine = await start({ socketCheckMs: 100 });
  await rm(join(engine.socketDir, ".s.PGSQL.5432"));
  expect(await queryWhenUp(engine, "select 1")).toEqual([1]);
});

test("keeps shared memory out of /dev/shm, which a logout can empty", async () => {
  const engine = await start();
  const processes = await listClusterServers(clusterDir());
  expect(processes).toContain(engine.pid());
  for (const pid of processes) {
    // A child may end in the meantime.
    const maps = await readFile(`/proc/${pid}/maps`, "utf8").catch(() => "");
    expect(maps).not.toContain("/dev/shm/");
  }
});

test("starts in its own session, which Ctrl-C does not reach", async () => {
  const engine = await start();
  const sessionOf = async (pid: number) =>
    (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ").at(-1)?.split(" ")[3];
  expect(await sessionOf(engine.pid())).not.toBe(await sessionOf(process.pid));
});

test("stops the engine through a watchdog where the system has no parent-death signal", async () => {
  const launch = await findLaunch({ parentSignal: false });
  const engine = await start({ launch, isDurable: true });
  await query(engine, "create table t as select 1 as n");
  process.kill(engine.pid(), "SIGKILL");
  expect(await queryWhenUp(engine, "select n from t")).toEqual([1]);
  await engine.stop();
  expect(await listClusterServers(clusterDir())).toEqual([]);
});

test.runIf(isRoot)("runs the engine as nobody under root without user namespaces", async () => {
  const launch = await findLaunch({ namespace: false });
  await chmod(dataDir, 0o700);
  await expect(start({ launch })).rejects.toThrow(/can't open .* set DATA_DIR to another folder/);
  await chmod(dataDir, 0o711);
  const engine = await start({ launch });
  expect((await stat(`/proc/${engine.pid()}`)).uid).toBe(65534);
  await query(engine, "create table t as select 1 as n");
  await engine.stop();
  // Switches back, which changes the owner of the files again.
  expect(await query(await start(), "select n from t")).toEqual([1]);
});

test("explains what prevents the start", async () => {
  await emptyDataDir();
  await mkdir(clusterDir());
  await writeFile(join(clusterDir(), "notes.txt"), "mine");
  await expect(start()).rejects.toThrow("isn't empty");
  await rm(clusterDir(), { recursive: true });
  await mkdir(clusterDir());
  await writeFile(join(clusterDir(), "PG_VERSION"), "17\n");
  await expect(start()).rejects.toThrow("created by PostgreSQL 17");
});
