import { adminVideoSorts } from "#contract/videos/admin-videos.ts";
import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import type { Db } from "#server/db/connection.ts";
import { foldTallies } from "./tallies.sql.ts";
import type { Database } from "#server/db/schema.ts";
import { seedRows } from "../../../../../demo/seed-rows.ts";
import {
  readQueue,
  readStoredBytes,
  readTotals,
} from "#server/features/statistics/statistics.repository.ts";
import { readRetention } from "#server/features/statistics/video-statistics.repository.ts";
import { findLabelId } from "#server/features/labels/labels.repository.ts";
import { createSearchService } from "#server/features/search/search.service.ts";
import { createSuggestionsService } from "#server/features/search/search.feature.ts";
import { createTrendingService } from "#server/features/trending/trending.service.ts";
import { queueOutdated, takeQueued } from "#server/features/related/related-queue.repository.ts";
import { createRelatedVideos } from "#server/features/related/related.service.ts";
import {
  listRestrictedVideos,
  readEmbeddings,
} from "#server/features/restrictions/restrictions.repository.ts";
import { createListSkeletons, type ListSkeletons } from "./list-skeletons.ts";

/** Explains the queries that lists send, to ensure that none scans a large table. */

const largeTables = [
  "videos",
  "video_range_scores",
  "video_search",
  "video_tags",
  "video_categories",
  "video_actors",
  "video_stats_hourly",
  "watches",
];

/** Enough for plans like those of large sites. */
const videoCount = 8000;
const deepOffset = videoCount * 0.75;

let watched: Db;
let lists: ListSkeletons;
let sent: { sql: string; parameters: readonly unknown[] }[] = [];
let labels: { category: string; tag: string; tinyTag: string; actor: string };

const database = useTestDatabase();
beforeAll(async () => {
  const { db } = database;
  await withoutWordIndexes(db, async () => {
    await seedRows(db, { videos: videoCount, seed: 1 });
    await createSearchService({ db }).refreshStale();
  });
  await createTrendingService({
    db,
    clock: { now: Date.now, date: () => new Date() },
  }).moveWindow();
  await foldTallies(db);
  await sql`vacuum (analyze)`.execute(db);
  watched = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: (event) => {
      sent.push({ sql: event.query.sql, parameters: event.query.parameters });
    },
  });
  const nth = async (kind: "categories" | "tags" | "actors", order: "asc" | "desc") => {
    const { rows } = await sql<{ slug: string }>`
      select slug from ${sql.table(kind)} t join (
        select scope, listed as n from tallies) c on c.scope = t.id
      where n > 0 order by n ${sql.raw(order)}, slug limit 1`.execute(db);
    return rows[0]?.slug ?? "";
  };
  labels = {
    category: await nth("categories", "desc"),
    tag: await nth("tags", "desc"),
    tinyTag: await nth("tags", "asc"),
    actor: await nth("actors", "desc"),
  };
  lists = createListSkeletons({
    db: watched,
    search: createSearchService({ db: watched }),
    labels: { findId: (kind, slug) => findLabelId(db, kind, slug) },
  });
});

/** Builds the indexes after the rows, which costs far less than updating them for each row. */
async function withoutWordIndexes(db: Db, fill: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'video_search' and indexdef like '% USING gin %'`.execute(db);
  expect(rows.length).toBeGreaterThan(0);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db);
  await fill();
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Loops"?: number;
  "Actual Rows"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
}
const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** Returns the executed nodes of every plan. */
async function explain(work: () => Promise<unknown>): Promise<Node[]> {
  sent = [];
  await work();
  const nodes: Node[] = [];
  for (const { sql: text, parameters } of [...sent]) {
    const { rows } = await database.db.executeQuery<{ "QUERY PLAN": [{ Plan: Node }] }>(
      CompiledQuery.raw(`explain (analyze, timing off, summary off, format json) ${text}`, [
        ...parameters,
      ]),
    );
    const plan = rows[0]?.["QUERY PLAN"][0].Plan;
    if (plan !== undefined)
      nodes.push(...flatten(plan).filter((node) => node["Actual Loops"] !== 0));
  }
  return nodes;
}

/** A scan that ends at the first match is fine. Reading a quarter of a table isn't. */
const wholeTable = videoCount / 4;
const rowsRead = (node: Node) =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) *
  (node["Actual Loops"] ?? 1);
const scans = (nodes: Node[]) =>
  nodes
    .filter((node) => node["Node Type"] === "Seq Scan" && rowsRead(node) > wholeTable)
    .map((node) => node["Relation Name"])
    .filter((name) => largeTables.includes(name ?? ""));
const indexes = (nodes: Node[]) => nodes.flatMap((node) => node["Index Name"] ?? []);

describe("public lists", () => {
  it.each([
    [{ sort: "newest" }, "videos_newest_idx"],
    [{ sort: "most_viewed" }, "videos_most_viewed_idx"],
    [{ sort: "top_rated" }, "videos_top_rated_idx"],
    [{ sort: "trending" }, "videos_trending_idx"],
    [{ sort: "trending", timeRange: "week" }, "range_scores_engagement_week_idx"],
    [{ sort: "most_viewed", timeRange: "today" }, "range_scores_views_today_idx"],
    [{ sort: "trending", timeRange: "all" }, "videos_most_viewed_idx"],
  ] as const)("reads %j in one walk along %s", async (query, index) => {
    const first = await explain(() => lists.listIds(query, { isAdmin: false }));
    expect(indexes(first)).toContain(index);
    expect(scans(first)).toEqual([]);
    // Sorting the sums of one or two labels is fine. Sorting whole lists isn't.
    const sorted = first.filter((node) => node["Node Type"].includes("Sort"));
    expect(Math.max(0, ...sorted.map((node) => node["Actual Rows"] ?? 0))).toBeLessThan(50);
    const { nextCursor } = await lists.listIds({ ...query, offset: 500 }, { isAdmin: false });
    const deep = await explain(() =>
      lists.listIds({ ...query, cursor: nextCursor ?? "" }, { isAdmin: false }),
    );
    expect(indexes(deep)).toContain(index);
    // The query goes straight to the position and doesn't read the rows before it.
    expect(
      Math.max(
        ...deep
          .filter((node) => node["Index Name"] === index)
          .map((node) => node["Actual Rows"] ?? 0),
      ),
    ).toBeLessThan(50);
  });

  it("reads a category's newest videos in one walk along its index", async () => {
    const nodes = await explain(() =>
      lists.listIds({ category: labels.category }, { isAdmin: false }),
    );
    expect(indexes(nodes)).toContain("video_categories_listed_idx");
    expect(scans(nodes)).toEqual([]);
  });

  it.each([
    { sort: "most_viewed" },
    { sort: "top_rated" },
    { sort: "trending" },
    { sort: "trending", timeRange: "week" },
  ] as const)("reads a short part of the order for a large category by %j", async (order) => {
    const { category } = labels;
    const list = async (offset: number) => {
      const nodes = await explain(() =>
        lists.listIds({ category, ...order, offset }, { isAdmin: false }),
      );
      expect(scans(nodes)).toEqual([]);
      expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(2000);
    };
    await list(0);
    await list(24);
  });

  it("scans no table for labels, large, tiny and combined, in any order", async () => {
    const { category, tag, tinyTag, actor } = labels;
    for (const filter of [
      { category },
      { tag },
      { tag: tinyTag },
      { actor },
      { category, tag },
      { category, tag, actor },
    ]) {
      for (const order of [
        { sort: "newest" },
        { sort: "most_viewed" },
        { sort: "trending" },
        { sort: "trending", timeRange: "month" },
      ] as const) {
        const nodes = await explain(() =>
          lists.listIds({ ...filter, ...order }, { isAdmin: false }),
        );
        expect([filter, order, scans(nodes)]).toEqual([filter, order, []]);
      }
    }
  });
});

describe("lists of the back office", () => {
  it("reads back-office lists from the narrow index, by any column, filter and depth", async () => {
    const page = { limit: 10, offset: deepOffset };
    for (const filter of [
      {},
      { state: "published" },
      { state: "draft" },
      { premium: true },
      { visibility: "public" },
      { visibility: "unlisted" },
    ] as const) {
      for (const sort of adminVideoSorts) {
        const nodes = await explain(() => lists.listAdminIds({ ...filter, sort, ...page }));
        expect([filter, sort, scans(nodes)]).toEqual([filter, sort, []]);
      }
    }
    const plain = await explain(() => lists.listIds({ offset: deepOffset }, { isAdmin: true }));
    expect(scans(plain)).toEqual([]);
    const found = await explain(() => lists.listIds({ search: "velvet" }, { isAdmin: true }));
    expect(scans(found)).toEqual([]);
    const system = await explain(() =>
      Promise.all([readStoredBytes(watched), readQueue(watched), readTotals(watched)]),
    );
    expect(scans(system)).toEqual([]);
  });
});

it("reads which videos have rules of their own from indexes", async () => {
  const { db } = database;
  await sql`
    update videos set blocked_countries = '{DE}'
    where id in (select id from videos order by id limit 3)`.execute(db);
  await sql`vacuum (analyze) videos`.execute(db);
  const nodes = await explain(() =>
    Promise.all([listRestrictedVideos(watched), readEmbeddings(watched)]),
  );
  expect(scans(nodes)).toEqual([]);
  expect(indexes(nodes)).toEqual(
    expect.arrayContaining(["videos_blocked_countries_idx", "videos_embedding_idx"]),
  );
  expect(await listRestrictedVideos(db)).toHaveLength(3);
});

describe("search, suggestions, related and statistics", () => {
  it("uses the indexes", async () => {
    const search = createSearchService({ db: watched });
    const words = await explain(() =>
      lists.listIds({ search: "velvet carousel" }, { isAdmin: false }),
    );
    expect(indexes(words)).toContain("video_search_words_tier_idx");
    expect(scans(words)).toEqual([]);
    // A search for an unknown word must not look at every row.
    const typo = await explain(() => search.understand("carousle", "listed"));
    expect(indexes(typo)).toContain("video_search_words_tier_idx");
    expect(scans(typo)).toEqual([]);
    const suggestions = createSuggestionsService({ db: watched, search });
    expect(scans(await explain(() => suggestions.suggest("velvet car")))).toEqual([]);
    const trending = createTrendingService({
      db: watched,
      clock: { now: Date.now, date: () => new Date() },
    });
    for (const range of ["today", "week", "month", "all"] as const) {
      expect(scans(await explain(() => trending.stats(range)))).toEqual([]);
    }
    const { ids } = await lists.listIds({ sort: "most_viewed" }, { isAdmin: false });
    const related = createRelatedVideos({ db: watched, lists });
    expect(scans(await explain(() => related.list(ids[0] ?? "", 6)))).toEqual([]);
  });

  it("reads only the plays since the last cut for the retention", async () => {
    const { db } = database;
    const { ids } = await lists.listIds({ sort: "newest" }, { isAdmin: false });
    const [id = ""] = ids;
    await sql`
      insert into watches (visitor_id, video_id, engaged, counted_at, updated_at)
      select gen_random_uuid(), ${id}, true, at, at
      from generate_series(1, 5000) n, lateral (select now() - n * interval '1 minute') t (at)`.execute(
      db,
    );
    await sql`
      update videos set timing_since = now() - interval '10 minutes' where id = ${id}`.execute(db);
    await sql`vacuum (analyze) watches`.execute(db);
    const nodes = await explain(() => readRetention(watched, id));
    const read = nodes.filter((node) => node["Relation Name"]?.startsWith("watches"));
    expect(read).not.toEqual([]);
    expect(Math.max(...read.map(rowsRead))).toBeLessThan(50);
  });

  it("reads related videos by key from the stored choice", async () => {
    const { ids } = await lists.listIds({ sort: "trending" }, { isAdmin: false });
    const related = createRelatedVideos({ db: watched, lists });
    const [id = ""] = ids;
    const { db } = database;
    await sql`
      insert into related_videos (video_id, ids, spare_ids, engaged)
      select id, '{}', '{}', engaged from videos on conflict do nothing`.execute(db);
    await related.choose(id);
    await sql`vacuum (analyze) related_videos`.execute(db);
    const nodes = await explain(() => related.list(id, 6));
    expect(indexes(nodes)).toContain("related_videos_pkey");
    expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(50);
    expect(scans(await explain(() => queueOutdated(watched, 20)))).toEqual([]);
    expect(scans(await explain(() => takeQueued(watched, 5, { isUrgentOnly: false })))).toEqual([]);
  });

  it("reads tiers for searches and suggestions, newest first, until it has enough", async () => {
    const { db } = database;
    // Tiers of 1,000 documents.
    await sql`
      update video_search s set tier = t.tier from (
        select video_id, (row_number() over (order by video_id) - 1) / 1000 as tier from video_search
      ) t where t.video_id = s.video_id`.execute(db);
    await sql`select setval('search_document_numbers', ${videoCount / 1000 - 1} * 16384)`.execute(
      db,
    );
    await sql`vacuum (analyze) video_search`.execute(db);
    const search = createSearchService({ db: watched });
    const suggestions = createSuggestionsService({ db: watched, search });
    const read = (nodes: Node[]) =>
      Math.max(
        0,
        ...nodes.filter((node) => node["Relation Name"] === "video_search").map(rowsRead),
      );
    const { rows } = await sql<{ word: string }>`
      select word from ts_stat('select title_words from video_search') where length(word) > 3
      order by ndoc desc, word limit 1`.execute(db);
    const [{ word } = { word: "" }] = rows;
    const nodes = await explain(() => lists.listIds({ search: word }, { isAdmin: false }));
    expect(indexes(nodes)).toContain("video_search_words_tier_idx");
    expect(read(nodes)).toBeLessThan(1500);
    expect(read(await explain(() => suggestions.suggest(word)))).toBeLessThan(2500);
  });
});
