import { parseArgs } from "node:util";
import { readConfig } from "../src/server/config.ts";
import { createDb, createPool } from "../src/server/db/connection.ts";
import { startEngine } from "../src/server/db/engine/engine.ts";
import { migrateToLatest } from "../src/server/db/migrate.ts";
import { createLogger } from "../src/server/lib/logger.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { fillCatalogue } from "./support/fill-catalogue.ts";

/**
 * Fills an empty site with a generated catalogue: `npm run bench -- seed --videos 100000`. The site is
 * the one of DATA_DIR or DATABASE_URL; restart it afterwards, or wait a minute.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      videos: { type: "string", default: "100000" },
      seed: { type: "string", default: "1" },
    },
  });
  const videos = Number(values.videos);
  const seed = Number(values.seed);
  if (!Number.isInteger(videos) || videos < 1 || videos > 2_000_000 || !Number.isInteger(seed)) {
    throw new Error("--videos takes a whole number up to 2000000, --seed a whole number");
  }
  const { rows, seconds } = await seedSite(process.env, { videos, seed });
  return {
    title: "A generated catalogue",
    columns: ["table", "rows"],
    rows,
    notes: [`Written in ${seconds} s with seed ${seed}.`],
  };
}

/** Writes the catalogue into the site that this environment describes. */
export async function seedSite(
  env: Record<string, string | undefined>,
  options: { videos: number; seed: number },
): Promise<{ rows: [string, number][]; seconds: number }> {
  const config = readConfig(env);
  const logger = createLogger("warn");
  const engine =
    config.databaseUrl === null ? await startEngine({ dataDir: config.dataDir, logger }) : null;
  const target = engine?.target ?? { connectionString: config.databaseUrl ?? "" };
  const db = createDb(createPool(target, 2, logger));
  try {
    await migrateToLatest(db);
    const count = async (table: "videos" | "video_tags" | "video_stats_hourly" | "watches") =>
      (
        await db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as("n"))
          .executeTakeFirst()
      )?.n ?? 0;
    if ((await count("videos")) > 0) {
      throw new Error("This site has videos already. The generated catalogue is for an empty one.");
    }
    const startedAt = performance.now();
    await fillCatalogue(db, {
      ...options,
      onProgress: (done) => {
        if (done % 10_000 === 0) process.stdout.write(`${done} videos\n`);
      },
    });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const rows: [string, number][] = [];
    for (const table of ["videos", "video_tags", "video_stats_hourly", "watches"] as const) {
      rows.push([table, await count(table)]);
    }
    return { rows, seconds };
  } finally {
    await db.destroy();
    await engine?.stop();
  }
}
