import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordImpressions } from "../../bench/support/impressions.ts";
import { removeData, type Site, startSite } from "../../test/harness/server-process.ts";
import { createDb, createPool } from "../../src/server/db/connection.ts";
import { startEngine } from "../../src/server/db/engine/engine.ts";
import { createLogger } from "../../src/server/lib/logger.ts";

/** The bench runs the same for 30 s. */
const visitors = 200;
const seconds = 4;

let dataDir: string;
let site: Site;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "kinora-counting-"));
  // More writes a minute than one address may send.
  site = await startSite({ dataDir, env: { WRITE_LIMITS: "0" } });
  const cookie = await site.signIn();
  await Promise.all(
    ["header", "footer", "feed"].map((placement) =>
      fetch(`${site.url}/api/ads`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ title: "Counted", type: "banner", placement }),
      }),
    ),
  );
});
afterEach(async () => {
  await site.stop("SIGKILL");
  await removeData(dataDir);
});

/** The counts in the database after the server has ended. */
async function readCounts(): Promise<{ totals: number; days: number }> {
  const logger = createLogger("error");
  const engine = await startEngine({ dataDir, logger });
  const db = createDb(createPool(engine.target, 2, logger));
  try {
    const sum = async (table: "ads" | "ad_stats_daily") => {
      const row = await db
        .selectFrom(table)
        .select((select) => select.fn.sum<string>("verified_impressions").as("sum"))
        .executeTakeFirstOrThrow();
      return Number(row.sum);
    };
    return { totals: await sum("ads"), days: await sum("ad_stats_daily") };
  } finally {
    await db.destroy();
    await engine.stop();
  }
}

test("the counts of 200 visitors are exactly the acknowledged requests, also after a stop", async () => {
  const whole = await recordImpressions(site.url, {
    visitors,
    seconds: seconds / 2,
  });
  expect([whole.refused, whole.broken]).toEqual([0, 0]);
  expect(whole.acknowledged).toBeGreaterThan(visitors);

  const stopping: Promise<void>[] = [];
  const cut = await recordImpressions(site.url, {
    visitors,
    seconds,
    onHalf: () => stopping.push(site.stop("SIGTERM")),
  });
  await Promise.all(stopping);
  expect(cut.acknowledged).toBeGreaterThan(0);
  // A clean stop may finish all that is under way, so that nothing breaks off.
  expect(cut.cutOff).toBe(visitors);
  const acknowledged = whole.acknowledged + cut.acknowledged;
  expect(await readCounts()).toEqual({ totals: acknowledged, days: acknowledged });
});

test("a killed server has lost nothing that it acknowledged", async () => {
  const stopping: Promise<void>[] = [];
  const run = await recordImpressions(site.url, {
    visitors,
    seconds,
    onHalf: () => stopping.push(site.stop("SIGKILL")),
  });
  await Promise.all(stopping);
  const { totals, days } = await readCounts();
  expect(days).toBe(totals);
  expect(totals).toBeGreaterThanOrEqual(run.acknowledged);
  // One request per visitor was under way and may have been counted.
  expect(totals).toBeLessThanOrEqual(run.acknowledged + visitors);
});
