import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adPlacements, adTypes } from "#ads/contract/ads.ts";
import { createDb, createPool, type Db } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { newId } from "#server/lib/ids.ts";
import { createLogger } from "#server/lib/logger.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { browserAgent } from "./support/http-call.ts";
import { recordImpressions } from "./support/impressions.ts";
import { load, type LoadResult } from "./support/load.ts";
import { measureRaw } from "./support/raw-server.ts";
import { median } from "./support/visit.ts";
import { startSite } from "#test/harness/server-process.ts";

const adCount = 1000;
const campaignCount = 200;
const visitors = 200;
const dayMs = 86_400_000;

/** Opens the database of a data folder that no server uses. */
async function withDb<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const logger = createLogger("warn");
  const engine = await startEngine({ dataDir, logger });
  const db = createDb(createPool(engine.target, 4, logger));
  try {
    await migrateToLatest(db);
    return await work(db);
  } finally {
    await db.destroy();
    await engine.stop();
  }
}

/**
 * Campaigns of every priority: some with a goal and even pacing, a budget, a cap, a share, a competitor
 * or targets.
 */
async function seedCampaigns(db: Db): Promise<string[]> {
  const advertiserId = newId();
  await db.insertInto("advertisers").values({ id: advertiserId, name: "Acme" }).execute();
  const now = Date.now();
  const rows = Array.from({ length: campaignCount }, (_, at) => ({
    id: newId(),
    advertiser_id: advertiserId,
    name: `Campaign ${at}`,
    starts_at: new Date(now - 15 * dayMs),
    ends_at: new Date(now + 15 * dayMs),
    ...[
      { goal: "impressions" as const, goal_amount: 50_000_000 },
      { price_model: "cpm" as const, price_micros: 2_000_000, budget_micros: 90_000_000_000 },
      { daily_cap: 20_000_000, separation: `trade ${at % 20}` },
      { target_devices: ["desktop" as const], target_languages: ["en", "de"] },
      { goal: "clicks" as const, goal_amount: 500_000, rotation: "weight" as const },
    ][at % 5],
    ...(at % 40 === 3
      ? { priority: "sponsorship" as const, goal: "share" as const, goal_amount: 10 }
      : {}),
    ...(at % 40 === 8 ? { priority: "house" as const } : {}),
  }));
  await db.insertInto("campaigns").values(rows).execute();
  return rows.map(({ id }) => id);
}

/** Ads of every type and placement with some HTML. */
async function seedAds(db: Db): Promise<void> {
  const campaigns = await seedCampaigns(db);
  const rows = Array.from({ length: adCount }, (_, at) => ({
    id: newId(),
    campaign_id: campaigns[at % campaignCount] ?? null,
    title: `Ad ${at}`,
    description: "Two weeks of something that everybody wants.",
    content: `<a href="https://shop.example/${at}"><b>Offer ${at}</b> ${"word ".repeat(30)}</a>`,
    type: adTypes[at % adTypes.length] ?? "banner",
    placement: adPlacements[at % adPlacements.length] ?? "header",
    image_url: `https://cdn.example/creative/${at}.webp`,
    link_url: `https://shop.example/landing/${at}?campaign=${at}`,
  }));
  await db.insertInto("ads").values(rows).execute();
}

const totalImpressions = (db: Db) =>
  db
    .selectFrom("ads")
    .select((select) => select.fn.sum<string>("verified_impressions").as("total"))
    .executeTakeFirstOrThrow()
    .then((row) => Number(row.total));

const daySum = (db: Db) =>
  db
    .selectFrom("ad_stats_daily")
    .select((select) => select.fn.sum<string>("verified_impressions").as("total"))
    .executeTakeFirstOrThrow()
    .then((row) => Number(row.total));

const campaignSum = (db: Db) =>
  db
    .selectFrom("campaigns")
    .select((select) => select.fn.sum<string>("impressions").as("total"))
    .executeTakeFirstOrThrow()
    .then((row) => Number(row.total));

/**
 * Returns one row. Reports impressions, stops the server in the given way, and compares the counts
 * in the database.
 */
async function countOnce(
  dataDir: string,
  seconds: number,
  end: "after" | "SIGTERM" | "SIGKILL",
): Promise<(string | number)[]> {
  const before = await withDb(dataDir, totalImpressions);
  const site = await startSite({ dataDir, env: { WRITE_LIMITS: "0" } });
  let stopped: Promise<void> | null = null;
  const run = await recordImpressions(site.url, {
    visitors,
    seconds,
    ...(end === "after" ? {} : { onHalf: () => void (stopped = site.stop(end)) }),
  });
  await (stopped ?? site.stop());
  const [total, days, campaigns] = await withDb(dataDir, async (db) => [
    await totalImpressions(db),
    await daySum(db),
    await campaignSum(db),
  ]);
  const counted = (total ?? 0) - before;
  if (total !== days || total !== campaigns) {
    throw new Error(`totals ${total}, days ${days} and campaigns ${campaigns} differ`);
  }
  const isExact =
    end === "SIGKILL"
      ? counted >= run.acknowledged && counted <= run.acknowledged + run.broken
      : counted === run.acknowledged;
  const what = {
    after: "to the end",
    SIGTERM: "SIGTERM in the middle",
    SIGKILL: "SIGKILL in the middle",
  };
  return [
    `${visitors} visitors for ${seconds} s, ${what[end]}`,
    Math.round(run.acknowledged / (end === "after" ? run.seconds : seconds / 2)),
    run.acknowledged,
    counted,
    run.broken,
    isExact ? "yes" : "NO",
  ];
}

/** Odd, so that there is a median. */
const rounds = 5;

/** `-- ads`: compares the public list with a raw server, and counts with acknowledged calls. */
export async function run(args: string[] = []): Promise<BenchTable> {
  const isQuick = args.includes("quick");
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-bench-"));
  try {
    await withDb(dataDir, seedAds);
    const rows: (string | number)[][] = [];
    const site = await startSite({ dataDir, env: { WRITE_LIMITS: "0" } });
    const paths = {
      "list of a header": "/api/spots/public?placement=header&limit=5",
      "list of 5, feed, two types": "/api/spots/public?placement=feed&type=banner,video&limit=5",
      "list of 3 videos": "/api/spots/public?type=video&limit=3",
      "list of a footer": "/api/spots/public?placement=footer&limit=5",
    };
    // Long enough for the JIT to compile the code.
    for (const path of Object.values(paths))
      await load(site.url + path, 3, undefined, browserAgent);
    for (const [name, path] of Object.entries(paths)) {
      const body = Buffer.from(await (await fetch(site.url + path)).arrayBuffer());
      await load(site.url + path, 2, undefined, browserAgent);
      // Alternating, because the load of a shared machine varies.
      const ours: LoadResult[] = [];
      const raw: Pick<LoadResult, "requestsPerS">[] = [];
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await load(site.url + path, 3, undefined, browserAgent));
        raw.push(await measureRaw(body, "application/json; charset=utf-8", 3));
      }
      const oursPerS = median(ours.map(({ requestsPerS }) => requestsPerS));
      const rawPerS = median(raw.map(({ requestsPerS }) => requestsPerS));
      const failures = ours.reduce((sum, each) => sum + each.failures, 0);
      rows.push([
        name,
        Math.round(oursPerS),
        `p99 ${median(ours.map(({ p99Ms }) => p99Ms))} ms`,
        `raw node:http ${Math.round(rawPerS)}/s`,
        `${Math.round((100 * oursPerS) / rawPerS)}% of raw`,
        failures === 0 ? "yes" : `${failures} failures`,
      ]);
    }
    await site.stop();

    const seconds = isQuick ? 6 : 30;
    for (const end of ["after", "SIGTERM", "SIGKILL"] as const) {
      rows.push(await countOnce(dataDir, seconds, end));
    }
    return {
      title: "Ads: the public list, and counting under load",
      columns: ["what", "per second", "acknowledged", "counted", "broken off", "right"],
      rows,
      notes: [
        `${adCount} active ads in ${campaignCount} campaigns with goals, budgets, caps, shares and targets; wrk with 1 thread and 32 connections for 3 s each, after 3 s for every list and 2 s for the one measured: the median of ${rounds} rounds, in turn with the raw server. Every response is created per request, makes a new visitor, and carries a serve token signed for them.`,
        "Counting: every visitor requests ads and reports one impression, again and again. An acknowledged one is in the database; after SIGKILL those that broke off may be there or not.",
      ],
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
