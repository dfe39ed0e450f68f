import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createChangeEvents, type ChangeEvents } from "./change-events.ts";
import type { Changes } from "./change-tags.ts";
import { createPool } from "./connection.ts";

/** Simulated process with a database connection and the events it received. */
interface Process {
  pool: pg.Pool;
  events: ChangeEvents;
  heard: Changes[];
  stop(): Promise<void>;
}

let writer: Process;
let reader: Process;

function startProcess(pool = createPool(database.target, 4, createLogger("silent"))): Process {
  const events = createChangeEvents(pool, createLogger("silent"));
  const heard: Changes[] = [];
  events.onChange((changes) => heard.push(changes));
  return {
    pool,
    events,
    heard,
    async stop() {
      events.stop();
      await pool.end();
    },
  };
}

/** Waits until `process` receives events from the other process with all their tags. */
async function waitUntilListening(process: Process): Promise<void> {
  const other = process === writer ? reader : writer;
  let sent = 0;
  await expect
    .poll(async () => {
      sent += 1;
      await other.events.publish([`video:${sent}`]);
      await wait(20);
      return process.heard.at(-1);
    })
    .toSatisfy((last: Changes) => last !== "everything" && last.has(`video:${sent}`));
  for (const each of new Set([writer, reader, process])) each.heard.length = 0;
}

const database = useTestDatabase();
beforeEach(async () => {
  writer = startProcess();
  reader = startProcess();
  await vi.waitUntil(() => [writer, reader].every(({ heard }) => heard.length > 0), 30_000);
  // A process that starts listening later reports `everything` one more time.
  await waitUntilListening(writer);
  await waitUntilListening(reader);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await writer.stop();
  await reader.stop();
});

test("runs events at once in their own process and once in each other process, with their tags", async () => {
  const sent = writer.events.publish(["videos", "video:1"]);
  expect(writer.heard).toEqual([new Set(["videos", "video:1"])]);
  await sent;
  await writer.events.publish("everything");
  await writer.events.publish([]);
  await expect.poll(() => reader.heard).toEqual([new Set(["videos", "video:1"]), "everything"]);
  expect(writer.heard).toHaveLength(2);
});

test("reports everything for events with more tags than a notification holds", async () => {
  const id = "01900000-0000-7000-8000-000000000000";
  const tags = (count: number) =>
    Array.from({ length: count }, (_, n) => `category:${id}${n}` as const);
  await writer.events.publish(tags(150));
  await writer.events.publish(tags(151));
  await expect.poll(() => reader.heard).toEqual([new Set(tags(150)), "everything"]);
});

test("notifies a process that lost its connection once it has reconnected", async () => {
  const connect = vi.spyOn(reader.pool, "connect").mockRejectedValue(new Error("not now"));
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kinora'" +
      " and datname = current_database() and pid <> pg_backend_pid() and query like '%change%'",
  );
  await expect.poll(() => connect.mock.calls.length).toBeGreaterThan(0);
  await writer.events.publish(["video:1"]);
  expect(reader.heard).toEqual([]);
  connect.mockRestore();
  await expect.poll(() => reader.heard).toEqual(["everything"]);
  await waitUntilListening(reader);
});

test("polls if LISTEN delivers nothing, for example behind a pooler", async () => {
  const pool = createPool(database.target, 4, createLogger("silent"));
  const original = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [config] = given;
    const isListen =
      typeof config === "object" && config !== null && "text" in config
        ? String(config.text).startsWith("listen")
        : false;
    return Reflect.apply(original, this, isListen ? ["select 1"] : given);
  });
  const deaf = startProcess(pool);
  await expect.poll(() => deaf.heard).toEqual(["everything"]);
  await expect.poll(() => pool.totalCount).toBeGreaterThan(0);
  await writer.events.publish(["video:1"]);
  await expect.poll(() => deaf.heard).toEqual(["everything", "everything"]);
  await deaf.stop();
});

test("detects a silent connection", async () => {
  const sockets: Duplex[] = [];
  const pool = createPool(database.target, 4, createLogger("silent"));
  pool.on("connect", (client) => {
    if ("connection" in client) sockets.push(client.connection.stream);
  });
  const process = startProcess(pool);
  await waitUntilListening(process);
  for (const socket of sockets) socket.pause();
  await writer.events.publish(["video:1"]);
  await expect.poll(() => process.heard).toEqual(["everything"]);
  await process.stop();
});

test("sends an unsent event once the database responds again", async () => {
  const query = vi.spyOn(writer.pool, "query").mockRejectedValue(new Error("not now"));
  await writer.events.publish(["video:1"]);
  expect(writer.heard).toEqual([new Set(["video:1"])]);
  query.mockRestore();
  await expect.poll(() => reader.heard).toEqual(["everything"]);
});

test("reports everything when a restored backup lowers the version", async () => {
  await database.pool.query("update change_version set version = version - 1");
  await expect.poll(() => reader.heard).toEqual(["everything"]);
});

test("reports sessions that end in the database", async () => {
  let times = 0;
  reader.events.onSessionsEnded(() => (times += 1));
  await database.pool.query("select pg_notify('kinora_changed', 'sessions')");
  await expect.poll(() => times).toBe(1);
  expect(reader.heard).toEqual([]);
});
