import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "#test/database.ts";
import { migrateToLatest, migrations } from "./migrate.ts";

/** Changes that individual migrations make to existing rows. */

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  await database.drop();
});

/** Applies all migrations except this one. */
async function migrateBefore(name: keyof typeof migrations) {
  const { db } = database;
  const { [name]: added, ...others } = migrations;
  expect(added).toBeDefined();
  await migrateToLatest(db, others);
  return db;
}

/** Returns the folded name of the tag, and the videos whose search and captions are stale. */
async function readRefolded(db: TestDatabase["db"]) {
  const { rows } = await sql`
    select (select name_folded from tags),
      array(select slug from search_stale join videos on id = video_id order by slug) as search,
      array(select slug from caption_stale join videos on id = video_id) as captions`.execute(db);
  return rows;
}

test("replaces commas in names of labels, unless another label has that name", async () => {
  const name = "20261129T0500_label-commas";
  const db = await migrateBefore(name);
  const tags = ["風景、 自然", "Café،Sky", "Sun，Rain", "空，海", "空 海", "、", "Ice, Snow"];
  const folded = ["風景、 自然", "cafe،sky", "sun,rain", "空,海", "空 海", "、", null];
  await sql`
    insert into tags (id, name, slug, folded_name)
    select gen_random_uuid(), name, 'tag-' || at, folded
    from unnest(${tags}::text[], ${folded}::text[]) with ordinality as given (name, folded, at)`.execute(
    db,
  );
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
  const db = await migrateBefore("20261130T0330_elisions");
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
  expect(await readRefolded(db)).toEqual([
    { name_folded: "d hiver", search: ["label", "title", "translation"], captions: ["caption"] },
  ]);
});

test("keeps operators' texts whose group has changed", async () => {
  const db = await migrateBefore("20261130T1520_text-groups");
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
  const db = await migrateBefore("20261130T1012_arabic-keyboards");
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
  expect(await readRefolded(db)).toEqual([
    { name_folded: "موسيقي", search: ["label", "title", "translation"], captions: ["caption"] },
  ]);
});

test("queues videos with captions for reindexing", async () => {
  const db = await migrateBefore("20261130T1712_phrases");
  await sql`
    insert into videos (id, slug, title, media_token)
    select gen_random_uuid(), slug, slug, slug from unnest(array['spoken', 'silent']) as slug`.execute(
    db,
  );
  await sql`
    insert into caption_passages (video_id, number, start_s, text)
    select id, number, 0, 'road' from videos, generate_series(1, 2) number where slug = 'spoken'`.execute(
    db,
  );
  await migrateToLatest(db);
  const { rows } = await sql`
    select slug from search_stale join videos on id = video_id`.execute(db);
  expect(rows).toEqual([{ slug: "spoken" }]);
});

test("refolds dotted abbreviations in labels, videos and captions", async () => {
  const db = await migrateBefore("20261130T1713_abbreviations");
  await sql`
    with video as (
      insert into videos (id, slug, title, media_token, description, translations)
      select gen_random_uuid(), slug, title, slug, description, translations::jsonb
      from (values ('title', 'É. T.', '', '{}'), ('description', 'Rome', 'A U.F.O', '{}'),
        ('translation', 'Road', '', '{"ru":{"title":"С.С.С.Р."}}'), ('label', 'Road', '', '{}'),
        ('caption', 'Road', '', '{}'), ('none', 'node.js 3.5', 'See www.example.com.', '{}')
      ) as given (slug, title, description, translations)
      returning id, slug
    ), tag as (
      insert into tags (id, name, slug) values (gen_random_uuid(), 'U.S.A.', 'a') returning id
    ), labelled as (
      insert into video_tags (video_id, tag_id)
      select video.id, tag.id from video, tag where video.slug = 'label'
    )
    insert into caption_passages (video_id, number, start_s, text)
    select id, 1, 0, case slug when 'caption' then fold('The U.F.O.') else 'a road' end
    from video where slug in ('caption', 'none')`.execute(db);
  await migrateToLatest(db);
  expect(await readRefolded(db)).toEqual([
    {
      name_folded: "usa",
      search: ["description", "label", "title", "translation"],
      captions: ["caption"],
    },
  ]);
});

test("adds videos that were imported before to no series again, unless they are incomplete", async () => {
  const db = await migrateBefore("20261130T0641_placed-origins");
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
  const db = await migrateBefore("20261130T0641_video-timing");
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
  const db = await migrateBefore("20261130T0710_readings");
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
  const db = await migrateBefore("20261130T0640_ad-targets");
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
