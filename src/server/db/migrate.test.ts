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

  test("replaces commas in names of labels, unless another label has that name", async () => {
    const { db } = database;
    const name = "20261129T0500_label-commas";
    const { [name]: added, ...earlier } = migrations;
    await migrateToLatest(db, earlier);
    const tags = ["風景、 自然", "Café،Sky", "Sun，Rain", "空，海", "空 海", "、", "Ice, Snow"];
    const folded = ["風景、 自然", "cafe،sky", "sun,rain", "空,海", "空 海", "、", null];
    await sql`
      insert into tags (id, name, slug, folded_name)
      select gen_random_uuid(), name, 'tag-' || at, folded
      from unnest(${tags}::text[], ${folded}::text[]) with ordinality as given (name, folded, at)`.execute(
      db,
    );
    expect(added).toBeDefined();
    expect(await migrateToLatest(db)).toEqual([name]);
    const { rows: found } = await sql`select name, folded_name from tags order by slug`.execute(db);
    expect(found).toEqual([
      { name: "風景 自然", folded_name: "風景 自然" },
      { name: "Café Sky", folded_name: "cafe sky" },
      { name: "Sun Rain", folded_name: "sun rain" },
      { name: "空，海", folded_name: "空,海" },
      { name: "空 海", folded_name: "空 海" },
      { name: "、", folded_name: "、" },
      { name: "Ice Snow", folded_name: "ice snow" },
    ]);
  });

  test("folds elided words of labels, videos and captions again", async () => {
    const { db } = database;
    const { "20261130T0330_elisions": added, ...earlier } = migrations;
    expect(added).toBeDefined();
    await migrateToLatest(db, earlier);
    await sql`
      with video as (
        insert into videos (id, slug, title, media_token, captions, translations)
        select gen_random_uuid(), slug, title, slug, captions::jsonb, translations::jsonb
        from (values ('title', 'L’été', '[]', '{}'), ('translation', 'Summer', '[]', '{"fr":{"title":"L''été"}}'),
          ('label', 'Summer', '[]', '{}'), ('caption', 'Summer', '[{"language":"fr"}]', '{}'),
          ('none', 'Don''t', '[{"language":"en"}]', '{}')) as given (slug, title, captions, translations)
        returning id, slug
      ), tag as (
        insert into tags (id, name, slug) values (gen_random_uuid(), 'D''hiver', 'a') returning id
      )
      insert into video_tags (video_id, tag_id)
      select video.id, tag.id from video, tag where video.slug = 'label'`.execute(db);
    await sql`delete from caption_stale`.execute(db);
    await migrateToLatest(db);
    const { rows: found } = await sql`
      select (select name_folded from tags),
        array(select slug from search_stale join videos on id = video_id order by slug) as search,
        array(select slug from caption_stale join videos on id = video_id) as captions`.execute(db);
    expect(found).toEqual([
      { name_folded: "d hiver", search: ["label", "title", "translation"], captions: ["caption"] },
    ]);
  });

  test("keeps operators' texts whose group has changed", async () => {
    const { db } = database;
    const { "20261130T1520_text-groups": added, ...earlier } = migrations;
    expect(added).toBeDefined();
    await migrateToLatest(db, earlier);
    await sql`
      insert into own_texts (language, id, text)
      values ('en', 'player.playNow', 'Go'), ('en', 'player.play', 'Start')`.execute(db);
    await migrateToLatest(db);
    const { rows } = await sql`select id, text from own_texts order by id`.execute(db);
    expect(rows).toEqual([
      { id: "player.play", text: "Start" },
      { id: "upNext.play", text: "Go" },
    ]);
  });

  test("folds letters of Persian keyboards in labels, videos and captions again", async () => {
    const { db } = database;
    const { "20261130T1012_arabic-keyboards": added, ...earlier } = migrations;
    expect(added).toBeDefined();
    await migrateToLatest(db, earlier);
    await sql`
      with video as (
        insert into videos (id, slug, title, media_token, captions, translations)
        select gen_random_uuid(), slug, title, slug, captions::jsonb, translations::jsonb
        from (values ('title', 'کتاب', '[]', '{}'), ('translation', 'Book', '[]', '{"fa":{"title":"کتاب"}}'),
          ('label', 'Book', '[]', '{}'), ('caption', 'Book', '[{"language":"fa"}]', '{}'),
          ('none', 'كتاب', '[{"language":"en"}]', '{}')) as given (slug, title, captions, translations)
        returning id, slug
      ), tag as (
        insert into tags (id, name, slug) values (gen_random_uuid(), 'موسیقی', 'a') returning id
      )
      insert into video_tags (video_id, tag_id)
      select video.id, tag.id from video, tag where video.slug = 'label'`.execute(db);
    await sql`delete from caption_stale`.execute(db);
    await migrateToLatest(db);
    const { rows: found } = await sql`
      select (select name_folded from tags),
        array(select slug from search_stale join videos on id = video_id order by slug) as search,
        array(select slug from caption_stale join videos on id = video_id) as captions`.execute(db);
    expect(found).toEqual([
      { name_folded: "موسيقي", search: ["label", "title", "translation"], captions: ["caption"] },
    ]);
  });

  test("adds videos that were imported before to no series again, unless they are incomplete", async () => {
    const { db } = database;
    const { "20261130T0641_placed-origins": added, ...earlier } = migrations;
    expect(added).toBeDefined();
    await migrateToLatest(db, earlier);
    const add = (id: string, isComplete: boolean) =>
      sql`
      insert into video_origins (source, source_id, video_id, is_complete)
      values ('other', ${id}, gen_random_uuid(), ${isComplete})`.execute(db);
    await add("complete", true);
    await add("incomplete", false);
    await migrateToLatest(db);
    await add("new", true);
    const { rows } = await sql`
      select array_agg(source_id) as ids from video_origins where is_placed`.execute(db);
    expect(rows).toEqual([{ ids: ["complete"] }]);
  });

  test("takes the first cut of a video for the last change of its timing", async () => {
    const { db } = database;
    const { "20261130T0641_video-timing": added, ...earlier } = migrations;
    expect(added).toBeDefined();
    await migrateToLatest(db, earlier);
    await sql`
      insert into videos (id, slug, title, media_token, cut_at)
      select gen_random_uuid(), slug, slug, slug, cut_at::timestamptz
      from (values ('cut', '2026-11-01T12:00Z'), ('whole', null)) as given (slug, cut_at)`.execute(
      db,
    );
    await migrateToLatest(db);
    const { rows } = await sql`
      select slug, timing_since = cut_at as "isCut" from videos order by slug`.execute(db);
    expect(rows).toEqual([
      { slug: "cut", isCut: true },
      { slug: "whole", isCut: null },
    ]);
  });

  test("writes the passages of captions with readings again", async () => {
    const { db } = database;
    const { "20261130T0710_readings": added, ...earlier } = migrations;
    expect(added).toBeDefined();
    await migrateToLatest(db, earlier);
    await sql`
      insert into videos (id, slug, title, media_token, captions)
      select gen_random_uuid(), lower(language), language, language,
        jsonb_build_array(jsonb_build_object('language', language))
      from unnest(array['de', 'ja', 'zh-TW']) as language`.execute(db);
    await sql`delete from caption_stale`.execute(db);
    await migrateToLatest(db);
    const { rows } = await sql`
      select slug from caption_stale join videos on id = video_id order by slug`.execute(db);
    expect(rows).toEqual([{ slug: "ja" }, { slug: "zh-tw" }]);
  });

  test("replaces former slugs in the targets of ads and campaigns", async () => {
    const { db } = database;
    const { "20261130T0640_ad-targets": added, ...earlier } = migrations;
    expect(added).toBeDefined();
    await migrateToLatest(db, earlier);
    await sql`
      with label as (
        select gen_random_uuid() as id, slug
        from (values ('world'), ('local'), ('reused')) as given (slug)
      ), category as (
        insert into categories (id, name, slug) select id, slug, slug from label
      ), tag as (
        insert into tags (id, name, slug) select id, slug, slug from label
      ), advertiser as (
        insert into advertisers (id, name) values (gen_random_uuid(), 'Cosmo') returning id
      ), campaign as (
        insert into campaigns (id, advertiser_id, name, target_categories, target_tags)
        select gen_random_uuid(), id, 'Autumn', '{news}', '{reused,news}' from advertiser
      ), ad as (
        insert into ads (id, title, type, placement, target_categories)
        select gen_random_uuid(), title, 'banner', 'header', slugs::text[]
        from (values ('former', '{other,news,local,world}'), ('current', '{reused,other}')) as given (title, slugs)
      )
      insert into slug_redirects (kind, slug, target_id)
      select kind, former, id from label, (values ('categories'), ('tags')) as kinds (kind),
        (values ('news'), ('reused')) as slugs (former) where slug = 'world'`.execute(db);
    await migrateToLatest(db);
    const { rows: found } = await sql`
      select title, target_categories as categories, null as tags, version from ads
      union all select name, target_categories, target_tags, version from campaigns
      order by title`.execute(db);
    expect(found).toEqual([
      { title: "Autumn", categories: ["world"], tags: ["reused", "world"], version: 3 },
      { title: "current", categories: ["reused", "other"], tags: null, version: 1 },
      { title: "former", categories: ["other", "world", "local"], tags: null, version: 2 },
    ]);
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
