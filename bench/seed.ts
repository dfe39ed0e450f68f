import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Given } from "#server/lib/command-line.mjs";
import { sql } from "kysely";
import { readConfig } from "#server/config.ts";
import { createDb, createPool, type Db } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { foldTallies } from "#server/features/videos/query/tallies.sql.ts";
import { createLogger } from "#server/lib/logger.ts";
import { OperatorError } from "#server/lib/app-error.ts";
import { seedRows } from "../demo/seed-rows.ts";
import type { BenchTable } from "./support/bench-table.ts";

const watchesPerVideo = 20;
const watchesPerVisitor = 20;
const visitorsPerStatement = 5000;

export const options = {
  videos: { value: "COUNT", help: "size of the catalogue, by default 100000" },
  watches: { value: "COUNT", help: "plays, by default 20 per video" },
};

/**
 * Fills an empty site with generated rows: `npm run bench -- seed [--videos 100000] [--watches N]`.
 * Uses DATA_DIR or DATABASE_URL. Restart the site afterwards, or wait a minute.
 */
export async function run(given: Given): Promise<BenchTable> {
  const values = { videos: "100000", ...given.values };
  const startedAt = performance.now();
  const rows = await seedSite(process.env, Number(values.videos), Number(given.values["watches"]));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return {
    title: "A generated catalogue",
    columns: ["table", "rows"],
    rows,
    notes: [`Written in ${seconds} s.`],
  };
}

/**
 * Fills the site that these environment variables describe. There are no media files.
 * @param watches 20 for each video if it isn't a number.
 */
export async function seedSite(
  env: Record<string, string | undefined>,
  videos: number,
  watches = Number.NaN,
): Promise<[table: string, rows: number][]> {
  const config = readConfig(env);
  const logger = createLogger("warn");
  const engine =
    config.databaseUrl === null
      ? await startEngine({ dataDir: config.dataDir, logger, isDurable: false })
      : null;
  const target = engine?.target ?? { connectionString: config.databaseUrl ?? "" };
  const db = createDb(createPool(target, 2, logger));
  const count = async (table: "videos" | "video_tags" | "video_stats_hourly" | "watches") =>
    (
      await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow()
    ).n;
  try {
    await migrateToLatest(db);
    if ((await count("videos")) > 0) throw new OperatorError("This site has videos already.");
    await seedRows(db, { videos, seed: 1 });
    await insertWatches(db, Number.isNaN(watches) ? videos * watchesPerVideo : watches);
    await writeSearchDocuments(db);
    await sql`select fill_rewards()`.execute(db);
    await sql`vacuum (analyze)`.execute(db);
    await foldTallies(db);
    const rows: [string, number][] = [];
    for (const table of ["videos", "video_tags", "video_stats_hourly", "watches"] as const) {
      rows.push([table, await count(table)]);
    }
    return rows;
  } finally {
    await db.destroy();
    await engine?.stop();
  }
}

/** Imports of many videos leave the search documents to a job. */
export async function writeSearchDocuments(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`select refresh_stale_search(500) as n`.execute(db);
    if ((rows[0]?.n ?? 0) === 0) return;
  }
}

/** Inserts visitors who watch the popular videos of one tag, so that audiences overlap. */
async function insertWatches(db: Db, watches: number): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`
      create temporary table themes as
      select row_number() over () - 1 as theme, array_agg(v.id order by v.views desc, v.id) as ids
      from video_tags t join videos v on v.id = t.video_id where v.is_listed group by t.tag_id`.execute(
      connection,
    );
    await sql`select setseed(0.5)`.execute(connection);
    for (let written = 0; written < watches; written += visitorsPerStatement * watchesPerVisitor) {
      await sql`
        insert into watches
          (visitor_id, video_id, counted_at, engaged, completed, watch_time_s, updated_at)
        select distinct on (visitor, video_id)
          visitor, video_id, at, luck < 0.6, luck < 0.3, 60 * random(), at
        from (
          select visitor, ids[1 + floor(cardinality(ids) * power(random(), 2))::int] as video_id,
            now() - random() * interval '30 days' as at, random() as luck
          from (
            select gen_random_uuid() as visitor,
              floor(power(random(), 2) * (select count(*) from themes))::bigint as theme
            from generate_series(1, ${visitorsPerStatement}::int)
          ) visitors join themes using (theme), generate_series(1, ${watchesPerVisitor}::int)
        ) plays`.execute(connection);
    }
  });
}

/**
 * Returns the DATA_DIR of a generated site of this size. It stays in the temporary folder for the
 * next bench.
 */
export async function keptCatalogue(videos: string): Promise<string> {
  const dataDir = join(tmpdir(), `kinora-bench-catalogue-${videos}`);
  if (!existsSync(dataDir)) {
    const unfinished = `${dataDir}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await seedSite({ DATA_DIR: unfinished }, Number(videos));
    await rename(unfinished, dataDir);
  }
  return dataDir;
}

/** Limit in ms for the 95th percentile of reads from a catalogue of this size. */
export const limitP95Ms = (videos: string): number => (Number(videos) > 100_000 ? 200 : 50);
