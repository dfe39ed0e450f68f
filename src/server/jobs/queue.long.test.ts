import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createTestDatabase, useTestDatabase } from "#test/database.ts";
import { root } from "#test/harness/server-process.ts";
import { toConnectionString, type DatabaseTarget, type Db } from "#server/db/connection.ts";
import { createLogger } from "#server/lib/logger.ts";
import {
  createJobQueue,
  defineJob,
  jobNames,
  type JobQueue,
  type AnyJobDefinition,
  type JobName,
} from "./queue.ts";

let queue: JobQueue;
const database = useTestDatabase();
beforeAll(async () => {
  queue = await createJobQueue({
    target: database.target,
    logger: createLogger("error"),
    isWorker: true,
  });
});
afterAll(async () => {
  await queue.stop(0);
});

/** Defines every kind of job. `run` receives the name of each job that runs. */
const definitions = (run: (name: JobName) => void): AnyJobDefinition[] =>
  jobNames.map((name) =>
    defineJob({ name, payload: z.object({}), concurrency: 1, run: async () => run(name) }),
  );

test("runs a job of a killed worker again in another one", async () => {
  await queue.enqueue(database.db, "bulk.run", {});
  const worker = fork(join(root, "test/fixtures/dying-worker.ts"), {
    env: { ...process.env, DATABASE_URL: toConnectionString(database.target) },
  });
  await once(worker, "message");
  worker.kill("SIGKILL");
  await once(worker, "exit");
  // Moves the last heartbeat back by 12 s to shorten the wait.
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '12 s'
    where state = 'active'`.execute(database.db);

  const ran = Promise.withResolvers<JobName>();
  await queue.work(definitions(ran.resolve));
  expect(await ran.promise).toBe("bulk.run");
});

test("retains waiting jobs for a year, even in queues created by an earlier release", async () => {
  const own = await createTestDatabase();
  const start = () =>
    createJobQueue({ target: own.target, logger: createLogger("error"), isWorker: false });
  const earlier = await start();
  await earlier.stop(0);
  await sql`update pgboss.queue set retention_seconds = 1209600, expire_seconds = 43200`.execute(
    own.db,
  );
  const current = await start();
  try {
    await current.enqueue(own.db, "video.efficient", {});
    const { rows } = await sql`
      select extract(day from keep_until - start_after)::int as days, expire_seconds / 3600 as hours
      from pgboss.job`.execute(own.db);
    expect(rows).toEqual([{ days: 365, hours: 24 }]);
  } finally {
    await current.stop(0);
    await own.drop();
  }
});

/** Runs a test with a worker that has a database of its own. */
async function withWorker(
  run: (worker: JobQueue, db: Db, target: DatabaseTarget) => Promise<void>,
): Promise<void> {
  const own = await createTestDatabase();
  const logger = createLogger("silent");
  const worker = await createJobQueue({ target: own.target, logger, isWorker: true });
  try {
    await run(worker, own.db, own.target);
  } finally {
    await worker.stop(0);
    await own.drop();
  }
}

test("starts a lane's next job without a pause", () =>
  withWorker(async (worker, db) => {
    const waiting = 20;
    for (let n = 0; n < waiting; n += 1) await worker.enqueue(db, "import.run", {});
    let count = 0;
    await worker.work(
      definitions((name) => {
        if (name === "import.run") count += 1;
      }),
    );
    // One job every three seconds would take as long as the timeout.
    await expect.poll(() => count, { timeout: 60_000 }).toBe(waiting);
  }));

test("runs a delayed job once it is due", () =>
  withWorker(async (worker, db) => {
    const ran = Promise.withResolvers<JobName>();
    await worker.work(definitions(ran.resolve));
    // The lanes have found nothing by then, and nothing notifies them when the job becomes due.
    await worker.enqueue(db, "import.run", {}, { startAfterS: 4 });
    expect(await ran.promise).toBe("import.run");
  }));

test("starts repeated jobs one after another, and doesn't wait for one that hangs", () =>
  withWorker(async (worker, db) => {
    const repeated: JobName[] = ["passes.end", "tallies.upkeep", "search.upkeep"];
    const names: JobName[] = [...repeated, "related.choose"];
    const log: string[] = [];
    const hung = Promise.withResolvers<void>();
    await worker.work(
      jobNames.map((name) =>
        defineJob({
          ...{ name, payload: z.object({}), concurrency: 1 },
          ...(names.includes(name) ? { schedule: { cron: "0 0 1 1 *" } } : {}),
          async run() {
            log.push(`${name} starts`);
            await (name === "related.choose" ? hung.promise : wait(50));
            log.push(`${name} ends`);
          },
        }),
      ),
    );
    await Promise.all(repeated.map((name) => worker.enqueue(db, name, {})));
    await expect.poll(() => log).toHaveLength(6);
    expect(log.map((line) => line.split(" ")[1])).toEqual(
      repeated.flatMap(() => ["starts", "ends"]),
    );
    await worker.enqueue(db, "related.choose", {});
    await expect.poll(() => log.at(-1)).toBe("related.choose starts");
    await worker.enqueue(db, "passes.end", {});
    await expect.poll(() => log.at(-1)).toBe("passes.end ends");
    hung.resolve();
  }));

test("retries a repeated job that keeps failing after ever longer pauses", () =>
  withWorker(async (worker, db, target) => {
    const failing = defineJob({
      ...{ name: "passes.end", payload: z.object({}), concurrency: 1 },
      schedule: { cron: "0 0 1 1 *" },
      run: () => Promise.reject(new Error("no permission")),
    });
    await worker.startSchedules(db, [failing]);
    // A process that starts later, such as a web process, changes nothing.
    const logger = createLogger("silent");
    await (await createJobQueue({ target, logger, isWorker: false })).stop(0);
    await worker.enqueue(db, "passes.end", {});
    await sql`update pgboss.job set retry_count = 20 where name = 'passes.end'`.execute(db);
    const others = definitions(() => undefined).filter(({ name }) => name !== "passes.end");
    await worker.work([failing, ...others]);
    const pause = sql<{ seconds: number }>`
      select extract(epoch from start_after - now())::int as seconds from pgboss.job
      where name = 'passes.end' and state = 'retry'`;
    await expect
      .poll(async () => (await pause.execute(db)).rows[0]?.seconds, { timeout: 30_000 })
      .toBeGreaterThan(500);
  }));
