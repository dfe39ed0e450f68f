import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { createTestDatabase } from "#test/database.ts";
import { createLogger } from "#server/lib/logger.ts";
import {
  connectionOptions,
  createDb,
  createPool,
  isDatabaseUnreachable,
  pingDatabase,
  toConnectionString,
  type DbOrTrx,
} from "./connection.ts";

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
});

/** Starts a server that handles each connection as given, and a pool connected to it. */
async function poolOf(onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const pool = createPool(
    { connectionString: `postgres://x:y@127.0.0.1:${port}/x` },
    1,
    createLogger("silent"),
  );
  closes.push(
    () => pool.end(),
    () => server.close(),
  );
  return { pool, server };
}

const errorOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => null,
    (error: unknown) => error,
  );

it.each([
  ["logs a lost connection", false, 1],
  ["logs no connection that ends while the pool closes", true, 0],
])("%s", async (_does, isClosing, count) => {
  const logger = createLogger("silent");
  const warn = vi.spyOn(logger, "warn");
  const pool = createPool({ connectionString: "postgres://x:y@127.0.0.1/x" }, 1, logger);
  if (isClosing) await pool.end();
  else closes.push(() => pool.end());
  pool.emit("error", new Error("terminating connection due to administrator command"));
  expect(warn).toHaveBeenCalledTimes(count);
});

it("ignores the port and the encryption of the environment for a socket", () => {
  vi.stubEnv("PGPORT", "5433");
  vi.stubEnv("PGSSLMODE", "require");
  closes.push(() => vi.unstubAllEnvs());
  const target = { socketDir: "/run/kinora", database: "x", password: "y" };
  for (const config of [connectionOptions(target), toConnectionString(target)]) {
    expect(new pg.Client(config)).toMatchObject({ host: "/run/kinora", port: 5432, ssl: false });
  }
});

it("recognises a lost database when connections are refused, reset, cut or have no socket", async () => {
  const { pool: reset } = await poolOf((socket) => {
    socket.once("data", () => socket.resetAndDestroy());
  });
  const resetError = await errorOf(reset.query("select 1"));
  expect(resetError).toMatchObject({ code: "ECONNRESET" });
  expect(isDatabaseUnreachable(resetError)).toBe(true);

  const { pool: refused, server } = await poolOf(() => undefined);
  server.close();
  const refusedError = await errorOf(refused.query("select 1"));
  expect(refusedError).toMatchObject({ code: "ECONNREFUSED" });
  expect(isDatabaseUnreachable(refusedError)).toBe(true);

  const logger = createLogger("silent");
  const missing = createPool({ socketDir: "/nowhere", database: "x", password: "y" }, 1, logger);
  const missingError = await errorOf(missing.query("select 1"));
  expect(missingError).toMatchObject({ code: "ENOENT" });
  expect(isDatabaseUnreachable(missingError)).toBe(true);

  const database = await createTestDatabase();
  closes.push(() => database.drop());
  const cut = await errorOf(database.pool.query("select pg_terminate_backend(pg_backend_pid())"));
  expect(isDatabaseUnreachable(cut)).toBe(true);
});

it("survives the loss of a connection in use and reports the database as unreachable", async () => {
  const { pool, drop } = await createTestDatabase();
  closes.push(drop);
  const client = await pool.connect();
  const ended = new Promise<void>((resolve) => client.on("end", () => resolve()));
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  await pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  // The error arrives while no query is running, so it rejects no promise.
  await ended;
  expect(isDatabaseUnreachable(await errorOf(client.query("select 1")))).toBe(true);
  client.release(true);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

/** Creates a pool with one connection to a database of its own. */
async function poolOfOne() {
  const database = await createTestDatabase();
  const pool = createPool(database.target, 1, createLogger("silent"));
  closes.push(
    () => database.drop(),
    () => pool.end(),
  );
  return pool;
}

it("replaces a connection whose server has become read-only", async () => {
  const pool = await poolOfOne();
  const db = createDb(pool);
  const write = (to: DbOrTrx) => to.updateTable("settings").set({ site_name: "Name" }).execute();
  for (const run of [() => write(db), () => db.transaction().execute(write)]) {
    await pool.query("set session characteristics as transaction read only");
    const error = await errorOf(run());
    expect(error).toMatchObject({ code: "25006" });
    expect(isDatabaseUnreachable(error)).toBe(true);
    await run();
  }
});

it("fails the check of a standby and replaces its connection", async () => {
  const pool = await poolOfOne();
  await pool.query(`create schema standby;
    create function standby.pg_is_in_recovery() returns boolean language sql return true;
    set search_path = standby, pg_catalog`);
  expect(isDatabaseUnreachable(await errorOf(pingDatabase(pool)))).toBe(true);
  await pingDatabase(pool);
});

it("ignores the same codes from other connections and files, and a wrong statement", async () => {
  for (const code of ["ECONNRESET", "EPIPE", "ECONNREFUSED", "ENOENT", "ETIMEDOUT"]) {
    const error = Object.assign(new Error(code), { code, syscall: "connect" });
    expect({ code, isAway: isDatabaseUnreachable(error) }).toEqual({ code, isAway: false });
  }
  const database = await createTestDatabase();
  closes.push(() => database.drop());
  const wrong = await errorOf(database.pool.query("select nonsense"));
  expect(isDatabaseUnreachable(wrong)).toBe(false);
});

/**
 * Starts a proxy in front of a test database that can stop forwarding bytes. Its pool checks the
 * server after 300 ms.
 */
async function freezableDatabase(responseTimeoutMs: number) {
  const database = await createTestDatabase();
  closes.push(() => database.drop());
  const sockets: Socket[] = [];
  let isFrozen = false;
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    if (isFrozen) return;
    const upstream = connect(join(database.target.socketDir, ".s.PGSQL.5432"));
    sockets.push(upstream);
    upstream.on("error", () => undefined);
    socket.on("data", (chunk) => isFrozen || upstream.write(chunk));
    upstream.on("data", (chunk) => isFrozen || socket.write(chunk));
    socket.on("close", () => upstream.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { password, database: name } = database.target;
  const url = `postgres://kinora:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
  const pool = createPool({ connectionString: url }, 2, createLogger("silent"), {
    patienceMs: 300,
    responseTimeoutMs,
  });
  closes.push(
    () => pool.end(),
    () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  );
  return {
    pool,
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
    },
  };
}

it("fails statements while the database doesn't respond and recovers afterwards", async () => {
  const { pool, freeze, thaw } = await freezableDatabase(1000);
  await pool.query("select 1");
  freeze();
  const error = await errorOf(pool.query("select 1"));
  expect(isDatabaseUnreachable(error)).toBe(true);
  thaw();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
}, 60_000);

it("leaves slow statements alone while the database responds", async () => {
  const { pool } = await freezableDatabase(30_000);
  // Long enough for several checks.
  const { rows } = await pool.query("select 1 as one from pg_sleep(1.5)");
  expect(rows).toEqual([{ one: 1 }]);
}, 60_000);
