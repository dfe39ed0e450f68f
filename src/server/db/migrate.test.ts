import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql, type Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "#test/database.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";
import {
  findSchemaDifferences,
  formerNames,
  listApplied,
  migrateToLatest,
  migrations,
  readFormerMigrations,
} from "./migrate.ts";
import released from "./released-migrations.json" with { type: "json" };

const folder = join(import.meta.dirname, "migrations");
/** Migrations of 0.2.0, the first release whose databases can be upgraded. */
const firstReleaseNames = Object.keys(released).filter((name) => name < "20261122T1300");
const former = await readFormerMigrations();
const afterBaseline = Object.keys(migrations).filter((name) => name > "20261129T0413_imports");

test("lists every file in the folder as a migration, ordered by name", async () => {
  const files = await readdir(folder);
  const names = files.filter((file) => file.endsWith(".ts")).map((file) => file.slice(0, -3));
  expect(Object.keys(migrations)).toEqual(names.toSorted());
  expect(Object.keys(former)).toEqual([...formerNames]);
  for (const name of names) expect(name).toMatch(/^\d{8}T\d{4}_[a-z0-9]+(-[a-z0-9]+)*$/);
});

test.each(Object.entries(released))(
  "leaves released migration %s unchanged",
  async (name, hash) => {
    const place = formerNames.has(name) ? "before-1.0" : "";
    const text = await readFile(join(folder, place, `${name}.ts`), "utf8");
    expect(
      createHash("sha256").update(text).digest("hex"),
      `${name} has been released, and databases have applied it. Restore the file and add a new migration instead.`,
    ).toBe(hash);
  },
);

test("keeps migrations independent of the program, which changes after them", async () => {
  for (const name of Object.keys(migrations)) {
    const text = await readFile(join(folder, `${name}.ts`), "utf8");
    const imports = Array.from(
      text.matchAll(/^(?:import|\}) .*from "(.*)";$/gm),
      ([, from]) => from,
    );
    expect({ name, imports }).toEqual({ name, imports: ["kysely"] });
  }
});

test("requires migrations that remove something to state the last release that used it", async () => {
  const takesAway = /drop (table|column)|rename (to|column)|set not null|alter column \S+ type/i;
  const bound = Object.keys(migrations);
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

  /** Partitions with their bounds. */
  const readPartitions = async () => {
    const { rows: partitions } = await sql`
      select relname, pg_get_expr(relpartbound, oid) from pg_class
      where relispartition and relkind = 'r' order by 1`.execute(database.db);
    return partitions;
  };

  const starts = [
    ["the first release", firstReleaseNames],
    ["the last state before 1.0.0", Object.keys(former).slice(0, -1)],
  ] as const;
  test.each(starts)("upgrades %s to the schema of a new database", async (_, names) => {
    const { db } = database;
    const isStart = (name: string) => names.includes(name);
    const chain = Object.entries(former).filter(([name]) => isStart(name));
    expect(await migrateToLatest(db, Object.fromEntries(chain))).toEqual(names);
    await insertRows(db);
    const added = Object.keys(former).filter((name) => !isStart(name));
    expect(await migrateToLatest(db)).toEqual([...added, ...afterBaseline]);
    expect(await migrateToLatest(db)).toEqual([]);
    expect(await listApplied(db)).toEqual(Object.keys(migrations));
    expect(await readRows(db)).toEqual(rows);
    expect(await findSchemaDifferences(db)).toEqual([]);

    const partitions = await readPartitions();
    await database.drop();
    database = await createEmptyDatabase();
    await migrateToLatest(database.db);
    expect(partitions).toEqual(await readPartitions());
  });

  test("refuses to upgrade a database with another schema, and changes nothing", async () => {
    const { db } = database;
    const readSettings = async () => {
      const { rows: settings } = await sql`
        select to_jsonb(settings) - 'updated_at' as row from settings`.execute(database.db);
      return settings;
    };
    await migrateToLatest(db, former);
    for (const [change, undo, difference] of [
      [
        "alter table ads alter title type varchar(300)",
        "alter table ads alter title type text",
        "column ads.title differs",
      ],
      [
        "alter table tags drop constraint tags_name_check",
        "alter table tags add check (length(name) between 1 and 80)",
        "constraint tags.tags_name_check is missing",
      ],
      [
        "alter function listed_at volatile",
        "alter function listed_at immutable",
        "function listed_at(is_listed boolean, published_at timestamp with time zone) differs",
      ],
      [
        "drop index ads_campaign_idx; create table notes (id int)",
        "create index ads_campaign_idx on ads (campaign_id); drop table notes",
        "column notes.id is not expected (and 2 more)",
      ],
    ] as const) {
      await sql.raw(change).execute(db);
      await expect(migrateToLatest(db)).rejects.toThrow(
        `The schema of the database isn't the one that Kinora created: ${difference}`,
      );
      expect(await listApplied(db)).toEqual(Object.keys(former));
      await sql.raw(undo).execute(db);
    }
    expect(await migrateToLatest(db)).toEqual(afterBaseline);

    // A new site starts with the same settings.
    const settings = await readSettings();
    await database.drop();
    database = await createEmptyDatabase();
    await migrateToLatest(database.db);
    expect(await readSettings()).toEqual(settings);
  });

  test("lists missing and additional parts of the schema", async () => {
    const { db } = database;
    await migrateToLatest(db);
    expect(await findSchemaDifferences(db)).toEqual([]);
    await sql`alter table settings drop column source_url`.execute(db);
    await sql`drop index reports_video_idx`.execute(db);
    await sql`alter table tags add column extra integer not null default 0`.execute(db);
    expect(await findSchemaDifferences(db)).toEqual([
      "column settings.source_url is missing",
      "column tags.extra is not expected",
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

  test("takes longer than the database allows for a statement", async () => {
    const { db } = database;
    // Applies to the next transaction too, because the pool reuses its idle connection.
    await sql`set statement_timeout = '300ms'`.execute(db);
    const slow = {
      "99990101T0000_slow": {
        up: async (trx: Kysely<unknown>) => {
          await sql`select pg_sleep(0.4)`.execute(trx);
        },
      },
    };
    expect(await migrateToLatest(db, slow)).toEqual(Object.keys(slow));
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
