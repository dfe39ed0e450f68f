import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { createChangeEvents } from "#server/db/change-events.ts";
import type { Changes } from "#server/db/change-tags.ts";
import { createDb, createPool } from "#server/db/connection.ts";
import { migrateToLatest, migrations } from "#server/db/migrate.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import { createJobQueue, defineJob, jobNames } from "#server/jobs/queue.ts";
import { createLogger } from "#server/lib/logger.ts";
import { startPgBouncer, type PgBouncer } from "../harness/pgbouncer.ts";
import { startPostgres, type Postgres } from "../harness/postgres.ts";
import { makeServiceRoot } from "../harness/service-folder.ts";

const logger = createLogger("error");
let folder: string;
let postgres: Postgres;
let pooler: PgBouncer;
beforeAll(async () => {
  folder = await makeServiceRoot("pooler");
  postgres = await startPostgres(join(folder, "postgres"));
  pooler = await startPgBouncer(join(folder, "pgbouncer"), postgres.port);
});
afterAll(async () => {
  await pooler.daemon.stop();
  await postgres.daemon.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

test("migrates once if processes start together through the pooler", async () => {
  const [first, second] = [openDb(pooler.url), openDb(pooler.url)];
  const applied = await Promise.all([migrateToLatest(first.db), migrateToLatest(second.db)]);
  expect(applied.filter((names) => names.length > 0)).toEqual([Object.keys(migrations)]);
  // A session lock would stay in the pooler and block the next start.
  expect(await postgres.query("select 1 from pg_locks where locktype = 'advisory'")).toEqual([]);
  // More concurrent requests than the pooler has sessions.
  const numbers = Array.from({ length: 60 }, (_, n) => n);
  const results = await Promise.all(
    numbers.map(async (n) => {
      const { db } = n % 2 === 0 ? first : second;
      const { rows } = await sql<{ n: number }>`${prepared}select ${n}::int as n`.execute(db);
      return rows[0]?.n;
    }),
  );
  expect(results).toEqual(numbers);
  await Promise.all([first.db.destroy(), second.db.destroy()]);
});

test("runs jobs through the pooler", async () => {
  const { db } = openDb(pooler.url);
  const queue = await createJobQueue({
    target: { connectionString: pooler.url },
    logger,
    isWorker: true,
    hasNotifications: false,
  });
  const ran = Promise.withResolvers<string>();
  await queue.work(
    jobNames.map((name) =>
      defineJob({
        name,
        payload: z.object({}),
        concurrency: 1,
        run: async () => ran.resolve(name),
      }),
    ),
  );
  await queue.enqueue(db, "bulk.run", {});
  expect(await ran.promise).toBe("bulk.run");
  await queue.stop(0);
  await db.destroy();
});

/** Collects the change events that a process receives. */
function hear(listenUrl: string | null) {
  const { pool, db } = openDb(pooler.url);
  const listenPool =
    listenUrl === null ? null : createPool({ connectionString: listenUrl }, 1, logger);
  const events = createChangeEvents(pool, logger, listenPool);
  const heard: Changes[] = [];
  events.onChange((changes) => heard.push(changes));
  return {
    events,
    heard,
    async stop() {
      events.stop();
      await listenPool?.end();
      await db.destroy();
    },
  };
}

const healed = { timeout: 60_000 };

test("receives changes by a direct address, or by their version without one", async () => {
  const [direct, deaf] = [hear(postgres.url), hear(null)];
  // Each process sends the event "everything" to all processes when it starts.
  await vi.waitFor(() => expect(direct.events.knownVersion()).not.toBe(null), healed);
  await vi.waitFor(() => expect(deaf.events.knownVersion()).not.toBe(null), healed);
  await vi.waitFor(async () => {
    direct.heard.length = 0;
    await deaf.events.publish(["video:1"]);
    await vi.waitFor(() => expect(direct.heard).toEqual([new Set(["video:1"])]), { timeout: 300 });
  }, healed);
  deaf.heard.length = 0;
  await direct.events.publish(["video:2"]);
  await expect.poll(() => deaf.heard, healed).toEqual(["everything"]);

  direct.heard.length = 0;
  await postgres.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like '%change_version%' and pid <> pg_backend_pid()",
  );
  await deaf.events.publish(["video:3"]);
  await expect.poll(() => direct.heard.length, healed).toBeGreaterThan(0);
  await Promise.all([direct.stop(), deaf.stop()]);
});

function openDb(url: string) {
  const pool = createPool({ connectionString: url }, 30, logger);
  return { pool, db: createDb(pool, pooler.keepsStatements) };
}
