import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordImpressions } from "../support/impressions.ts";
import { createClient } from "#test/app.ts";
import { removeData, type Site, startSite } from "#test/harness/server-process.ts";
import { createDb, createPool } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { createAdReports } from "#ads/server/reports/ad-report.service.ts";
import { readSettings } from "#server/features/settings/settings.repository.ts";
import { systemClock } from "#server/lib/clock.ts";
import { createLogger } from "#server/lib/logger.ts";

const visitors = 200;
const seconds = 4;
/** Limits for a single address must not apply, because all requests come from one. */
const env = { WRITE_LIMITS: "0", TRUST_PROXY: "127.0.0.1" };

let dataDir: string;
let site: Site;
let post: (path: string, values: object) => Promise<string>;

async function start(): Promise<void> {
  site = await startSite({ dataDir, env });
  const admin = createClient(site.url, await site.signIn());
  post = async (path, values) => {
    const response = await admin.call("POST", path, values);
    expect([path, response.status]).toEqual([path, 201]);
    return response.json.id;
  };
}

const addAd = (placement: string, values: object = {}) =>
  post("/api/ads", { title: "Counted", type: "banner", placement, ...values });

async function addCampaign(name: string, values: object): Promise<string> {
  const advertiserId = await post("/api/advertisers", { name: `Buyer of ${name}` });
  return post("/api/campaigns", { advertiserId, name, ...values });
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "kinora-counting-"));
});
afterEach(async () => {
  await site.stop("SIGKILL");
  await removeData(dataDir);
});

/** Reads the counts in the database and in the reports after the server has ended. */
async function readCounts(): Promise<Record<string, number>> {
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
    const reports = createAdReports({
      db,
      clock: systemClock,
      settings: { current: () => readSettings(db) },
    });
    const reported = async (group: "day" | "placement" | "campaign" | "ad") => {
      const { rows } = await reports.read({ group });
      return rows.reduce((all, { impressions }) => all + impressions, 0);
    };
    return {
      totals: await sum("ads"),
      days: await sum("ad_stats_daily"),
      byDay: await reported("day"),
      byPlacement: await reported("placement"),
      byCampaign: await reported("campaign"),
      byAd: await reported("ad"),
    };
  } finally {
    await db.destroy();
    await engine.stop();
  }
}

/** Expects every count to have this value. */
const all = (value: number) => ({
  totals: value,
  days: value,
  byDay: value,
  byPlacement: value,
  byCampaign: value,
  byAd: value,
});

/** Adds ads of a campaign in two placements and one ad without a campaign. */
async function addCounted(): Promise<void> {
  const campaignId = await addCampaign("Autumn", { priceModel: "cpm", price: 2 });
  for (const placement of ["header", "footer"]) await addAd(placement, { campaignId });
  await addAd("feed");
}

test("counts exactly the acknowledged requests of 200 visitors, even after a stop", async () => {
  await start();
  await addCounted();
  const whole = await recordImpressions(site.url, {
    visitors,
    seconds: seconds / 2,
  });
  expect([whole.refused, whole.broken]).toEqual([0, 0]);
  // On a busy machine, each visitor may send only one.
  expect(whole.acknowledged).toBeGreaterThanOrEqual(visitors);

  const stopping: Promise<void>[] = [];
  const cut = await recordImpressions(site.url, {
    visitors,
    seconds,
    onHalf: () => stopping.push(site.stop("SIGTERM")),
  });
  await Promise.all(stopping);
  expect(cut.acknowledged).toBeGreaterThan(0);
  // A clean stop may finish all pending requests.
  expect(cut.cutOff).toBe(visitors);
  expect(await readCounts()).toEqual(all(whole.acknowledged + cut.acknowledged));
});

test("retains everything it acknowledged before being killed", async () => {
  await start();
  await addCounted();
  const stopping: Promise<void>[] = [];
  const run = await recordImpressions(site.url, {
    visitors,
    seconds,
    onHalf: () => stopping.push(site.stop("SIGKILL")),
  });
  await Promise.all(stopping);
  const counts = await readCounts();
  const { totals = 0 } = counts;
  expect(counts).toEqual(all(totals));
  expect(totals).toBeGreaterThanOrEqual(run.acknowledged);
  // Each visitor had one pending request, which may have been counted.
  expect(totals).toBeLessThanOrEqual(run.acknowledged + visitors);
});
