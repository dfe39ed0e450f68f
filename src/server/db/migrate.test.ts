import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql, type Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "#test/database.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";
import { findSchemaDifferences } from "./compare-schema.ts";
import { migrateToLatest, migrations } from "./migrate.ts";
import released from "./released-migrations.json" with { type: "json" };

const folder = join(import.meta.dirname, "migrations");
/** Migrations of 0.2.0, the first release whose databases can be upgraded. */
const firstReleaseNames = Object.keys(released).filter((name) => name < "20261122T1300");
const only = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));

test("lists every file in the folder as a migration, ordered by name", async () => {
  const files = await readdir(folder);
  const names = files.map((file) => file.replace(/\.ts$/, "")).toSorted();
  expect(Object.keys(migrations)).toEqual(names);
  for (const name of names) expect(name).toMatch(/^\d{8}T\d{4}_[a-z0-9]+(-[a-z0-9]+)*$/);
});

test.each(Object.entries(released))(
  "leaves released migration %s unchanged",
  async (name, hash) => {
    const text = await readFile(join(folder, `${name}.ts`), "utf8");
    expect(
      createHash("sha256").update(text).digest("hex"),
      `${name} has been released, and databases have applied it. Restore the file and add a new migration instead.`,
    ).toBe(hash);
  },
);

test("requires migrations that remove something to state the last release that used it", async () => {
  const takesAway = /drop (table|column)|rename (to|column)|set not null|alter column \S+ type/i;
  // Older migrations required all processes to be stopped for an upgrade.
  const bound = Object.keys(migrations).filter((name) => name > "20261122T1510_partitions");
  const silent: string[] = [];
  for (const name of bound) {
    const text = await readFile(join(folder, `${name}.ts`), "utf8");
    if (takesAway.test(text) && !text.includes("Unused since ")) silent.push(name);
  }
  expect(
    silent,
    "See Migrations in CONTRIBUTING.md: expand now, contract a release later.",
  ).toEqual([]);
});

/** Inserts rows of the first release with SQL, because factories use the newest schema. */
async function insertRows(db: TestDatabase["db"]): Promise<void> {
  await sql`
    insert into videos (id, slug, title, status, is_published, published_at, media_token, views)
    values ('00000000-0000-7000-8000-000000000001', 'first', 'First light', 'ready', true, now(), 'a', 3),
      ('00000000-0000-7000-8000-000000000002', 'draft', 'Draft', 'ready', false, null, 'b', 0),
      ('00000000-0000-7000-8000-000000000003', 'early', 'Early', 'processing', true, now(), 'c', 0)`.execute(
    db,
  );
  await sql`
    insert into tags (id, name, slug) values ('00000000-0000-7000-8000-000000000010', 'Sea', 'sea')`.execute(
    db,
  );
  await sql`
    insert into video_tags (video_id, tag_id)
    select id, '00000000-0000-7000-8000-000000000010' from videos`.execute(db);
  await sql`
    insert into video_stats_hourly (video_id, hour, views)
    values ('00000000-0000-7000-8000-000000000001', date_trunc('hour', now(), 'UTC'), 3)`.execute(
    db,
  );
  await sql`
    insert into watches (visitor_id, video_id, counted_at, engaged, updated_at)
    select '00000000-0000-7000-8000-000000000020', '00000000-0000-7000-8000-000000000001', at, true, at
    from (values (now() - interval '400 days')) as given (at)`.execute(db);
}

async function readRows(db: TestDatabase["db"]): Promise<unknown[]> {
  const { rows } = await sql`
    select v.slug, v.title, v.views, v.is_listed, s.views_today, t.listed_at is not null as in_tag,
      (select count(*)::int from watches w where w.video_id = v.id and w.engaged) as engaged
    from videos v join video_range_scores s on s.video_id = v.id
      join video_search d on d.video_id = v.id join video_tags t on t.video_id = v.id
    order by v.id`.execute(db);
  return rows;
}

const rows = [
  {
    slug: "first",
    title: "First light",
    views: 3,
    is_listed: true,
    views_today: 3,
    in_tag: true,
    engaged: 1,
  },
  {
    slug: "draft",
    title: "Draft",
    views: 0,
    is_listed: false,
    views_today: 0,
    in_tag: false,
    engaged: 0,
  },
  {
    slug: "early",
    title: "Early",
    views: 0,
    is_listed: false,
    views_today: 0,
    in_tag: false,
    engaged: 0,
  },
];

describe("on a database", () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(async () => {
    await database.drop();
  });

  test("creates the whole schema in an empty database and changes nothing on a second run", async () => {
    const { db } = database;
    expect(await migrateToLatest(db)).toEqual(Object.keys(migrations));
    expect(await migrateToLatest(db)).toEqual([]);
  });

  test("preserves rows in an upgrade from the first release", async () => {
    const { db } = database;
    expect(await migrateToLatest(db, only(firstReleaseNames))).toEqual(firstReleaseNames);
    await insertRows(db);
    expect(await readRows(db)).toEqual(rows);

    const added = Object.keys(migrations).filter((name) => !firstReleaseNames.includes(name));
    expect(await migrateToLatest(db)).toEqual(added);
    expect(await readRows(db)).toEqual(rows);
    const { rows: settings } = await sql`select source_url from settings`.execute(db);
    expect(settings).toEqual([{ source_url: null }]);
    expect(await findSchemaDifferences(db)).toEqual([]);
  });

  test("lists missing and additional parts of the schema", async () => {
    const { db } = database;
    await migrateToLatest(db);
    expect(await findSchemaDifferences(db)).toEqual([]);
    await sql`alter table settings drop column source_url`.execute(db);
    await sql`drop index reports_video_idx`.execute(db);
    await sql`alter table tags add column extra integer not null default 0`.execute(db);
    expect(await findSchemaDifferences(db)).toEqual([
      "column settings.source_url text is missing",
      "column tags.extra integer not null is not expected",
      "index reports.reports_video_idx is missing",
    ]);
  });

  test("refuses a database of another version without changing it and names the migration", async () => {
    const { db } = database;
    await migrateToLatest(db);
    await sql`
      insert into kysely_migration (name, timestamp) values ('99990101T0000_later', '')`.execute(
      db,
    );
    await expect(migrateToLatest(db)).rejects.toThrow(
      "created by a newer version of Kinora (migration 99990101T0000_later)",
    );
  });

  test("refuses a database of 0.1 and explains how to move its videos", async () => {
    const { db } = database;
    await migrateToLatest(db);
    await sql`insert into kysely_migration (name, timestamp) values ('0001-foundation', '')`.execute(
      db,
    );
    await expect(migrateToLatest(db)).rejects.toThrow(
      "created by Kinora 0.1 (migration 0001-foundation), which no later version can upgrade. Use an empty DATA_DIR or database, and import the videos there: set IMPORT_DIR",
    );
  });

  test("lets other queries pass while a migration waits for a locked table", async () => {
    const { db, pool } = database;
    await migrateToLatest(db);
    const later = {
      "99990101T0000_later": {
        up: async (trx: Kysely<unknown>) => {
          await sql`alter table videos add column note text`.execute(trx);
        },
      },
    };
    const reader = await pool.connect();
    await reader.query("begin");
    await reader.query("select from videos");
    const migrating = migrateToLatest(db, { ...migrations, ...later }, { lockTimeoutMs: 200 });
    await expect.poll(() => countLockWaits(db), { interval: 5 }).toBe(1);
    // This query waits for the table behind the migration but is served before it.
    await pool.query("select from videos");
    await reader.query("commit");
    reader.release();
    expect(await migrating).toEqual(Object.keys(later));
  });

  test("applies a later migration and preserves the rows", async () => {
    const { db } = database;
    await migrateToLatest(db);
    await insertRows(db);
    const later = {
      "99990101T0000_later": {
        up: async (trx: Kysely<unknown>) => {
          await sql`alter table videos add column note text not null default 'none'`.execute(trx);
        },
      },
    };
    expect(await migrateToLatest(db, { ...migrations, ...later })).toEqual(Object.keys(later));
    expect(await readRows(db)).toEqual(rows);
    const { rows: notes } = await sql`select note from videos`.execute(db);
    expect(notes).toEqual([{ note: "none" }, { note: "none" }, { note: "none" }]);
  });
});
