import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { createDb, createPool, type Db } from "#server/db/connection.ts";
import { startEngine } from "#server/db/engine/engine.ts";
import { migrateToLatest } from "#server/db/migrate.ts";
import { newId, newToken } from "#server/lib/ids.ts";
import { createLogger } from "#server/lib/logger.ts";
import { slugify } from "#server/lib/names.ts";
import { writeSearchDocuments } from "../seed.ts";
import type { SearchVideo } from "./search-titles.ts";

const chunkSize = 1000;

/**
 * Fills a site in a separate folder with these videos.
 * @returns its DATA_DIR.
 */
export async function fillSearchSite(
  videos: readonly SearchVideo[],
  name: string,
): Promise<string> {
  const dataDir = join(tmpdir(), `kinora-bench-search-${name}`);
  if (process.env.KEEP_SEARCH_SITE === "1" && existsSync(join(dataDir, "postgres"))) return dataDir;
  await rm(dataDir, { recursive: true, force: true });
  const logger = createLogger("warn");
  const engine = await startEngine({ dataDir, logger, isDurable: false });
  const db = createDb(createPool(engine.target, 3, logger));
  try {
    await migrateToLatest(db);
    const categories = videos.map(({ category }) => category);
    const ids = {
      categories: await addLabels(db, "categories", categories),
      tags: await addLabels(
        db,
        "tags",
        videos.flatMap(({ tags }) => tags),
      ),
      actors: await addLabels(
        db,
        "actors",
        videos.flatMap(({ actors }) => actors),
      ),
    };
    for (let from = 0; from < videos.length; from += chunkSize) {
      await addVideos(db, videos.slice(from, from + chunkSize), ids);
    }
    await writeSearchDocuments(db);
    await sql`vacuum (analyze)`.execute(db);
  } finally {
    await db.destroy();
    await engine.stop();
  }
  return dataDir;
}

type LabelIds = ReadonlyMap<string, string>;

async function addLabels(
  db: Db,
  table: "categories" | "tags" | "actors",
  names: readonly string[],
): Promise<LabelIds> {
  const ids = new Map([...new Set(names)].map((name) => [name, newId()]));
  await sql`
    insert into ${sql.table(table)} (id, name, slug)
    select * from unnest(${[...ids.values()]}::uuid[], ${[...ids.keys()]}::text[],
      ${[...ids.keys()].map((name, at) => `${slugify(name)}-${at}`)}::text[])`.execute(db);
  return ids;
}

async function addVideos(
  db: Db,
  videos: readonly SearchVideo[],
  ids: Record<"categories" | "tags" | "actors", LabelIds>,
): Promise<void> {
  const rows = videos.map((video) => ({ ...video, id: newId() }));
  await sql`
    insert into videos (id, slug, title, description, status, is_published, published_at, duration_s,
      width, height, media_token, progressive_key, thumbnail_key, views, trend)
    select id, slug, title, description, 'ready', true, now(), 60, 1280, 720, token, '480p.mp4',
      'thumbnail.webp', views, ln(views + 1)
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ slug }) => slug)}::text[],
      ${rows.map(({ title }) => title)}::text[], ${rows.map(({ description }) => description)}::text[],
      ${rows.map(() => newToken())}::text[], ${rows.map(({ views }) => views)}::bigint[])
      as given (id, slug, title, description, token, views)`.execute(db);
  for (const [table, column, of, known] of [
    ["video_categories", "category_id", (video: SearchVideo) => [video.category], ids.categories],
    ["video_tags", "tag_id", (video: SearchVideo) => video.tags, ids.tags],
    ["video_actors", "actor_id", (video: SearchVideo) => video.actors, ids.actors],
  ] as const) {
    const links = rows.flatMap((row) =>
      of(row).map((name, position) => ({ id: row.id, label: known.get(name), position })),
    );
    await sql`
      insert into ${sql.table(table)} (video_id, ${sql.ref(column)}, position)
      select * from unnest(${links.map(({ id }) => id)}::uuid[], ${links.map(({ label }) => label)}::uuid[],
        ${links.map(({ position }) => position)}::int[])`.execute(db);
  }
}
