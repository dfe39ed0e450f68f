import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adPlacements, adTypes } from "../src/contract/ads.ts";
import { createDb, createPool, type Db } from "../src/server/db/connection.ts";
import { startEngine } from "../src/server/db/engine/engine.ts";
import { migrateToLatest } from "../src/server/db/migrate.ts";
import { newId } from "../src/server/lib/ids.ts";
import { createLogger } from "../src/server/lib/logger.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { recordImpressions } from "./support/impressions.ts";
import { load } from "./support/load.ts";
import { measureRaw } from "./support/raw-server.ts";
import { startSite } from "../test/harness/server-process.ts";

const adCount = 1000;
const visitors = 200;

/** The database of a data folder, while no server runs on it. */
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

/** Ads of every type and placement with some HTML. Every tenth ad of the footer has delivery rules. */
async function seedAds(db: Db): Promise<void> {
  const rows = Array.from({ length: adCount }, (_, at) => {
    const placement = adPlacements[at % adPlacements.length] ?? "header";
    const hasRules = placement === "footer" && at % 10 === 0;
    return {
      id: newId(),
      title: `Campaign ${at}`,
      description: "Two weeks of something that everybody wants.",
      content: `<a href="https://shop.example/${at}"><b>Offer ${at}</b> ${"word ".repeat(30)}</a>`,
      type: adTypes[at % adTypes.length] ?? "banner",
      placement,
      image_url: `https://cdn.example/creative/${at}.webp`,
      link_url: `https://shop.example/landing/${at}?campaign=${at}`,
      ...(hasRules
        ? { weight: 5, daily_limit: 1_000_000, target_devices: ["desktop" as const] }
        : {}),
    };
  });
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

/** One row: report, stop the server in the given way, compare with the counts in the database. */
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
  const [total, days] = await withDb(dataDir, async (db) => [
    await totalImpressions(db),
    await daySum(db),
  ]);
  const counted = (total ?? 0) - before;
  if (total !== days) throw new Error(`totals ${total} and days ${days} differ`);
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

/** `-- ads`: the public list beside a raw server, and counts compared with acknowledged calls. */
export async function run(args: string[] = []): Promise<BenchTable> {
  const isQuick = args.includes("quick");
  const dataDir = await mkdtemp(join(tmpdir(), "kinora-bench-"));
  try {
    await withDb(dataDir, seedAds);
    const rows: (string | number)[][] = [];
    const site = await startSite({ dataDir, env: { WRITE_LIMITS: "0" } });
    const paths = {
      "list of 5, header": "/api/spots/public?placement=header&limit=5",
      "list of 5, feed, two types": "/api/spots/public?placement=feed&type=banner,video&limit=5",
      "list of 3 videos": "/api/spots/public?type=video&limit=3",
      "list of 5, footer, weights, limits and devices":
        "/api/spots/public?placement=footer&limit=5",
    };
    for (const [name, path] of Object.entries(paths)) {
      const body = Buffer.from(await (await fetch(site.url + path)).arrayBuffer());
      await load(site.url + path, 2);
      const ours = await load(site.url + path, 5);
      const raw = await measureRaw(body, "application/json; charset=utf-8", 5);
      rows.push([
        name,
        Math.round(ours.requestsPerS),
        `p99 ${ours.p99Ms} ms`,
        `raw node:http ${Math.round(raw.requestsPerS)}/s`,
        `${Math.round((100 * ours.requestsPerS) / raw.requestsPerS)}% of raw`,
        ours.failures === 0 ? "yes" : `${ours.failures} failures`,
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
        `${adCount} active ads in the database; wrk with 1 thread and 32 connections for 5 s each. Every response is created per request, makes a new visitor, and carries a serve token signed for them.`,
        "Counting: every visitor requests ads and reports one impression, again and again. An acknowledged one is in the database; after SIGKILL those that broke off may be there or not.",
      ],
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
