import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { readConfig } from "#server/config.ts";
import { createDb, createPool, type Db } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { createLogger } from "#server/lib/logger.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { fillCatalogue } from "./support/fill-catalogue.ts";

/** Number of connections that write in parallel. */
const lanes = Math.min(8, Math.max(2, availableParallelism()));
const watchesPerVideo = 20;

/**
 * Fills an empty site with a generated catalogue: `npm run bench -- seed --videos 100000`. Uses
 * DATA_DIR or DATABASE_URL. Restart the site afterwards, or wait a minute.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      videos: { type: "string", default: "100000" },
      /** About 20 for each video by default. */
      watches: { type: "string" },
      seed: { type: "string", default: "1" },
    },
  });
  const videos = Number(values.videos);
  const watches = values.watches === undefined ? undefined : Number(values.watches);
  const seed = Number(values.seed);
  if (!Number.isInteger(videos) || videos < 1 || videos > 2_000_000 || !Number.isInteger(seed)) {
    throw new Error("--videos takes a whole number up to 2000000, --seed a whole number");
  }
  if (watches !== undefined && (!Number.isInteger(watches) || watches < 0)) {
    throw new Error("--watches takes a whole number");
  }
  const { rows, seconds } = await seedSite(process.env, {
    videos,
    seed,
    ...(watches === undefined ? {} : { watches }),
  });
  return {
    title: "A generated catalogue",
    columns: ["table", "rows"],
    rows,
    notes: [`Written in ${seconds} s with seed ${seed}.`],
  };
}

/**
 * Writes the catalogue to the site that this environment describes.
 * @param options.fillMore called once the catalogue is written, to add related data.
 */
export async function seedSite(
  env: Record<string, string | undefined>,
  options: {
    videos: number;
    watches?: number;
    seed: number;
    fillMore?: (db: Db) => Promise<void>;
  },
): Promise<{ rows: [string, number][]; seconds: number }> {
  const config = readConfig(env);
  const logger = createLogger("warn");
  // Commits don't wait for the disk, because an interrupted fill starts again in an empty folder.
  const engine =
    config.databaseUrl === null
      ? await startEngine({ dataDir: config.dataDir, logger, isDurable: false })
      : null;
  const target = engine?.target ?? { connectionString: config.databaseUrl ?? "" };
  const db = createDb(createPool(target, lanes + 1, logger));
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
    const elapsedS = () => Math.round((performance.now() - startedAt) / 1000);
    await fillCatalogue(db, lanes, {
      watches: options.videos * watchesPerVideo,
      ...options,
      onProgress: (done) => process.stdout.write(`${elapsedS()} s: ${done}\n`),
    });
    await options.fillMore?.(db);
    const seconds = elapsedS();
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
