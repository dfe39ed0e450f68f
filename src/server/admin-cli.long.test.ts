import { execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "#test/database.ts";
import { root } from "#test/harness/server-process.ts";
import { runCommand } from "./commands/run-command.ts";
import { createDb, createPool, toConnectionString } from "./db/connection.ts";
import { startEngine } from "./db/engine/engine.ts";
import { migrateToLatest, migrations, readFormerMigrations } from "./db/migrate.ts";
import { createLogger } from "./lib/logger.ts";

let folder: string;
let first: TestDatabase;
let second: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(inject("testFolder"), "commands-"));
  // Under root, the embedded database may run as another user.
  for (const each of [inject("testFolder"), folder]) await chmod(each, 0o711);
  [first, second] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  // A restore requires that no other program is connected.
  await Promise.all([first.db.destroy(), second.db.destroy()]);
});
afterAll(() => Promise.all([first.drop(), second.drop()]));

const envOf = (database: TestDatabase, extra: Record<string, string | undefined>) => ({
  DATA_DIR: join(folder, database.target.database),
  DATABASE_URL: `${toConnectionString(database.target)}&connect_timeout=60`,
  BACKUP_PASSPHRASE: "correct horse",
  ...extra,
});

/** Runs `npm run admin -- ARGS` on a separate database and storage, in this process. */
async function runWith(password: string, database: TestDatabase, ...args: string[]) {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += String(text);
      return true;
    });
  }
  const env = envOf(database, { PASSWORD: password });
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    return { code: await runCommand(args), ...output };
  } finally {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  }
}

const run = (database: TestDatabase, ...args: string[]) =>
  runWith("a good password", database, ...args);

/** Starts `npm run admin -- ARGS` in a process of its own. */
const start = (
  extra: Record<string, string | undefined>,
  database: TestDatabase,
  ...args: string[]
) =>
  spawn(process.execPath, ["src/server/admin-cli.ts", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...envOf(database, extra) },
  });

async function runProcess(...given: Parameters<typeof start>) {
  const child = start(...given);
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, stdout, stderr };
}

test("creates the schema with migrate, which then finds nothing to do", async () => {
  const names = Object.keys(migrations).toSorted();
  expect(await runProcess({}, first, "migrate")).toEqual({
    code: 0,
    stdout: [...names.map((name) => `Applied ${name}.\n`), "The schema is up to date.\n"].join(""),
    stderr: "",
  });
  expect((await run(first, "migrate")).stdout).toBe("The schema was up to date.\n");
});

test("backs up an embedded database before a command updates it", async () => {
  const former = join(folder, "former");
  const logger = createLogger("silent");
  const engine = await startEngine({ dataDir: former, logger, isDurable: false });
  const db = createDb(createPool(engine.target, 1, logger));
  const formerMigrations = Object.entries(await readFormerMigrations()).slice(0, -1);
  await migrateToLatest(db, Object.fromEntries(formerMigrations));
  await db.destroy();
  await engine.stop();
  for (const name of ["list", "migrate"]) {
    const dataDir = join(folder, `former-${name}`);
    await promisify(execFile)("cp", ["-a", former, dataDir]);
    const embedded = { DATA_DIR: dataDir, DATABASE_URL: undefined };
    const { code, stderr } = await runProcess(embedded, first, name);
    expect([name, code]).toEqual([name, 0]);
    expect(stderr).toContain("backing up the database before the upgrade");
    expect(await readdir(join(dataDir, "backups"))).toEqual([
      expect.stringMatching(/^before-upgrade-.*\.tar$/),
    ]);
  }
});

test("lists a created account, and moves it with a backup", async () => {
  const file = join(folder, "site.backup");
  expect((await run(first, "create", "someone@example.com")).stdout).toBe(
    "Created someone@example.com with the role OWNER.\n",
  );
  expect((await run(first, "backup", file)).stdout).toMatch(
    /^Saved \d+ rows and 0 files to .*site\.backup \(1 MB\)\.\n$/,
  );
  expect((await run(second, "restore", file)).stdout).toMatch(/^Restored \d+ rows and 0 files of/);
  expect((await run(second, "list")).stdout).toMatch(/^someone@example\.com\tOWNER\t/);
  const again = await run(second, "restore", file);
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toMatch(/^This site isn't empty\. .*\n$/);
});

test("changes nothing and exits with 1 without a password", async () => {
  const create = ["create", "unknown@example.com"];
  expect(await runProcess({ PASSWORD: undefined }, first, ...create)).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("No password given. Nothing was changed.\n"),
  });
  for (const args of [create, ["reset-password", "someone@example.com"]]) {
    expect(await runWith("", first, ...args)).toMatchObject({ code: 1, stdout: "" });
  }
  expect((await run(first, "list")).stdout).not.toContain("unknown@example.com");
});

test.each([
  [["remove", "unknown@example.com"]],
  [["set-role", "unknown@example.com", "--role", "EDITOR"]],
  [["reset-two-factor", "unknown@example.com"]],
  [["reprocess", "--stop"]],
])("exits with 1 after %j, which finds no match", async (args) => {
  expect(await run(first, ...args)).toMatchObject({ code: 1, stdout: "" });
});

test.each([
  [["create", "unknown@example.com", "--rol", "EDITOR"], "Unknown option '--rol'"],
  [["create", "unknown@example.com", "extra"], 'Unexpected argument "extra"'],
  [["create", "unknown"], '"unknown" isn\'t an email address'],
  [["set-role", "someone@example.com"], "--role: use one of OWNER"],
  [["remove", "unknown@example.com", "--role", "USER"], "Unknown option '--role'"],
  [["list", "extra"], 'Unexpected argument "extra"'],
])("changes nothing and exits with 2 after %j", async (args, message) => {
  const { code, stdout, stderr } = await run(first, ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect((await run(first, "list")).stdout).toMatch(/^someone@example\.com\tOWNER\t[^\n]*\n$/);
});

test("reports a connection lost during a command in one line", async () => {
  const client = new pg.Client(toConnectionString(first.target));
  await client.connect();
  await client.query("begin; lock table users in access exclusive mode");
  const listing = run(first, "list");
  // Other tests have tables with the same id in their own databases.
  const cutListing = async () => {
    const { rows } = await client.query(`
      select pg_terminate_backend(pid) from pg_locks
      where relation = 'users'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`);
    return rows.length;
  };
  await expect.poll(cutListing).toBe(1);
  const { code, stderr } = await listing;
  await client.end();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The database cannot be used now \(.*\)\. Run .* when it responds\.\n$/);
});

test("prints line by line which checks pass and which fail", async () => {
  const { code, stdout, stderr } = await run(second, "doctor");
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^ok {7}database: PostgreSQL 18/m);
  expect(stdout).toMatch(/^ok {7}schema: up to date$/m);
  expect(stdout).toMatch(
    /^warning {2}address: http:\/\/localhost:3000 only works on this machine\n {9}Links.*\n {9}Set/m,
  );
  expect(stdout).toMatch(/^(ok {7}|warning {2})storage: [\d.]+ GB free$/m);
  expect(code).toBe(0);
});

test("plans renditions, queues them once and stops them", async () => {
  const client = new pg.Client(toConnectionString(first.target));
  await client.connect();
  try {
    await client.query(`insert into videos (id, slug, title, status, is_published, progress,
        duration_s, width, height, media_token, source_key, stored_bytes)
      select gen_random_uuid(), 'v' || n, 'V', 'ready', false, 1, 600, 1280, 720, 't' || n, 's', 5e8
      from generate_series(1, 30) n`);
    const dry = await run(first, "reprocess", "--dry-run");
    expect(dry.stdout).toMatch(
      /^Reprocessing 30 videos takes about [\d.]+ hours of processor time and up to [\d.]+ GB of extra space for a day\.\n$/,
    );
    expect((await run(first, "reprocess", "v1", "v2")).stdout).toContain("\nQueued 2 videos.");
    const all = await run(first, "reprocess");
    expect(all.stdout).toContain("2 videos were skipped");
    expect(all.stdout).toContain("(2 in progress)");
    expect(all.stdout).toContain("\nQueued 28 videos.");
    const { rows } = await client.query(
      `select count(*)::int as jobs from pgboss.job where name = 'video.finish' and priority < -900000000`,
    );
    expect(rows).toEqual([{ jobs: 30 }]);
    expect((await run(first, "reprocess", "--stop")).stdout).toMatch(
      /^Stopped reprocessing 30 videos/,
    );
    expect((await run(first, "reprocess", "v404")).stderr).toBe("Video v404 not found.\n");
  } finally {
    await client.end();
  }
});

test("ends quietly if nothing reads its output", async () => {
  const child = start({}, second, "list");
  child.stdout.destroy();
  const closed = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("close", (_code, signal) => resolve(signal)),
  );
  expect(await text(child.stderr)).toBe("");
  expect(await closed).toBeNull();
});
