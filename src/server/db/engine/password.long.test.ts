import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  type FileHandle,
  mkdtemp,
  open,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createLogger } from "#server/lib/logger.ts";
import { connectionOptions, type SocketTarget } from "../connection.ts";
import { type Engine, startEngine } from "./engine.ts";
import { ensurePassword } from "./password.ts";
import { findLaunch } from "./privileges.ts";
import { socketDirFor } from "./socket-dir.ts";

let dataDir = "";
let engine: Engine | null = null;

// Creating a cluster is slow, so each test starts from a copy of this one.
let root = "";
const seedDir = () => join(root, "seed");

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "kinora-password-")));
  dataDir = seedDir();
  await start();
  await stop();
});
afterAll(() => rm(root, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await mkdtemp(join(root, "data-"));
  await promisify(execFile)("cp", ["-a", join(seedDir(), "postgres"), dataDir]);
});
afterEach(stop);

async function stop(): Promise<void> {
  await engine?.stop();
  engine = null;
  await rm(socketDirFor(join(dataDir, "postgres")), { recursive: true, force: true });
}

const inCluster = (name: string): string => join(dataDir, "postgres", name);

async function start(): Promise<SocketTarget> {
  engine = await startEngine({ dataDir, logger: createLogger("silent"), isDurable: false });
  return engine.target;
}

async function query(target: SocketTarget, text: string): Promise<unknown[]> {
  const client = new pg.Client(connectionOptions(target));
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

const listRules = (target: SocketTarget): Promise<unknown[]> =>
  query(target, "select distinct auth_method from pg_hba_file_rules where type = 'local'");

test("requires the password even with access to the socket", async () => {
  const target = await start();
  expect(await listRules(target)).toEqual(["scram-sha-256"]);
  for (const password of ["", "kinora", `${target.password}x`]) {
    await expect(query({ ...target, password }, "select 1")).rejects.toThrow(/password/);
  }
  const info = await stat(inCluster("kinora-password"));
  expect(info.mode & 0o777).toBe(0o600);
  expect(target.password).toMatch(/^[\w-]{43}$/);
});

test("requires a password after the next start of a cluster that trusted every process", async () => {
  let target = await start();
  await query(target, "create table t as select 7 as n");
  await query(target, "alter role kinora password null");
  await engine?.stop();
  // A cluster as Kinora 0.2 left it.
  await rm(inCluster("kinora-password"));
  await writeFile(inCluster("pg_hba.conf"), "# local\nlocal   all   all      trust\n");

  target = await start();
  expect(await query(target, "select n from t")).toEqual([7]);
  expect(await readFile(inCluster("pg_hba.conf"), "utf8")).not.toMatch(/\btrust\b/);
  // The server reloads its rules a moment after the request.
  const wrong = { ...target, password: "wrong" };
  await expect.poll(() => query(wrong, "select 1").catch(String)).toMatch(/password/);
  expect(await query(target, "select n from t")).toEqual([7]);

  await engine?.stop();
  expect((await start()).password).toBe(target.password);
});

test.each([
  ["deleted", () => rm(inCluster("kinora-password"))],
  ["empty", () => writeFile(inCluster("kinora-password"), "")],
])("explains a lost password, and lets the operator reset it: %s", async (_how, lose) => {
  await lose();
  await expect(start()).rejects.toThrow(/refuses the password in its file kinora-password/);
  process.kill(Number.parseInt(await readFile(inCluster("postmaster.pid"), "utf8"), 10), "SIGINT");
  await vi.waitUntil(() => !existsSync(inCluster("postmaster.pid")), { timeout: 30_000 });
  await writeFile(inCluster("pg_hba.conf"), "local all all trust\n");
  expect(await query(await start(), "select 1")).toEqual([1]);
});

test("writes the password to the disk before it is used", async () => {
  const synced: string[] = [];
  const handle = await open(dataDir);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  const sync = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    synced.push(await readlink(`/proc/self/fd/${this.fd}`));
  });
  await handle.close();
  const launch = await findLaunch();
  await rm(inCluster("kinora-password"));
  await ensurePassword(inCluster(""), launch);
  expect(synced).toEqual([inCluster(`kinora-password.${process.pid}`), join(dataDir, "postgres")]);

  synced.length = 0;
  await rm(join(dataDir, "postgres"), { recursive: true });
  await start();
  const unfinished = join(dataDir, `postgres.init-${process.pid}`);
  expect(synced).toEqual([`${unfinished}.password`, unfinished, dataDir]);
  sync.mockRestore();
});
