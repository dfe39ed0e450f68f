import { beforeEach, expect, test } from "vitest";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo, type VideoRow, changeVideo } from "#test/factories/make-video.ts";
import { useTestDatabase } from "#test/database.ts";
import type { FeedQuery } from "#contract/lists/feed.ts";
import type { Video } from "#contract/videos/videos.ts";
import { newId } from "#server/lib/ids.ts";
import { createPipelines } from "#server/features/videos/query/pipeline.ts";
import { createVideosService } from "#server/features/videos/videos.service.ts";
import { createBanditRanker } from "./bandit-ranker.ts";
import { createFeedService, type FeedService } from "./feed.service.ts";

let nowMs: number;

const database = useTestDatabase();

beforeEach(async () => {
  nowMs = Date.now();
  await database.pool.query("truncate videos, actors, tags, categories, watches, likes cascade");
});

/** Computes the rewards of plays that were inserted as rows. */
const fillRewards = () => database.pool.query("select fill_rewards($1)", [new Date(nowMs)]);

function createFeed(): FeedService {
  const clock = { now: () => nowMs, date: () => new Date(nowMs) };
  const { db } = database;
  return createFeedService({
    db,
    clock,
    videos: createVideosService({
      db,
      storage: { openRead: () => Promise.reject(new Error("not asked for")) },
      findMidrollRules: async () => ({ times: null, everyMin: 0, gapS: 0 }),
    }),
    createPipeline: createPipelines({ db, reads: db }),
    ranker: createBanditRanker({ db, clock }),
  });
}

async function makeVideos(count: number, values: Parameters<typeof makeVideo>[1] = {}) {
  const rows: VideoRow[] = [];
  for (let index = 0; index < count; index += 1) {
    rows.push(
      await makeVideo(database.db, {
        published_at: new Date(nowMs - index * 3_600_000),
        ...values,
      }),
    );
  }
  return rows;
}

async function watch(visitorId: string, videoId: string, values: object = {}): Promise<void> {
  await database.db
    .insertInto("watches")
    .values({
      visitor_id: visitorId,
      video_id: videoId,
      counted_at: new Date(nowMs - 60_000),
      updated_at: new Date(nowMs - 60_000),
      ...values,
    })
    .execute();
}

/** Reads all pages of one session in order. */
async function readAll(
  feed: FeedService,
  visitorId: string | null,
  limit: number,
): Promise<Video[][]> {
  const pages: Video[][] = [];
  let cursor: string | undefined;
  do {
    const page = await feed.list({ cursor, limit }, visitorId);
    pages.push(page.videos);
    cursor = page.nextCursor ?? undefined;
    expect(pages.length).toBeLessThan(200);
  } while (cursor !== undefined);
  return pages;
}

test("shows every video once for every page size", async () => {
  const rows = await makeVideos(23);
  const feed = createFeed();
  for (const limit of [1, 4, 20, 100]) {
    const ids = (await readAll(feed, null, limit)).flat().map(({ id }) => id);
    expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  }
});

test("returns 20 videos per page by default", async () => {
  await makeVideos(25);
  const page = await createFeed().list({}, null);
  expect(page.videos).toHaveLength(20);
  expect(page.nextCursor).not.toBeNull();
});

test("leaves out drafts, unfinished and failed videos", async () => {
  const [shown] = await makeVideos(1);
  await makeVideo(database.db, { is_published: false });
  await makeVideo(database.db, { status: "processing" });
  await makeVideo(database.db, { status: "failed", failure_reason: "nothing to decode" });
  const ids = (await readAll(createFeed(), null, 20)).flat().map(({ id }) => id);
  expect(ids).toEqual([shown?.id]);
});

test("returns the same page again, even while others watch", async () => {
  const rows = await makeVideos(30);
  const feed = createFeed();
  const first = await feed.list({ limit: 5 }, null);
  const cursor = first.nextCursor ?? "";
  const second = await feed.list({ limit: 5, cursor }, null);
  for (const row of rows) await watch(newId(), row.id, { watch_time_s: 50, completed: true });
  nowMs += 10 * 60_000;
  await feed.list({}, null);
  await feed.list({}, null);
  const again = await feed.list({ limit: 5, cursor }, null);
  expect(again).toEqual(second);
});

test("orders two sessions differently", async () => {
  await makeVideos(30);
  const feed = createFeed();
  const order = async () => (await feed.list({ limit: 30 }, null)).videos.map(({ id }) => id);
  expect(await order()).not.toEqual(await order());
});

test("shows unseen videos first, then seen ones, oldest play first", async () => {
  const visitorId = newId();
  const rows = await makeVideos(12);
  const seen = rows.slice(0, 5).map(({ id }) => id);
  for (const [index, id] of seen.entries()) {
    await watch(visitorId, id, { counted_at: new Date(nowMs - (index + 1) * 60_000) });
  }
  const ids = (await readAll(createFeed(), visitorId, 4)).flat().map(({ id }) => id);
  expect(ids.slice(0, 7).toSorted()).toEqual(
    rows
      .slice(5)
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(ids.slice(7).toSorted()).toEqual(seen.toSorted());
  // Seen videos are separated by actor only within a page, and these videos have no actors.
  expect(ids.slice(7)).toEqual(seen.toReversed());
});

test("preserves a session's order despite its plays", async () => {
  const visitorId = newId();
  await makeVideos(12);
  const feed = createFeed();
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await feed.list({ cursor, limit: 3 }, visitorId);
    nowMs += 1000;
    for (const { id } of page.videos) {
      pages.push(id);
      await watch(visitorId, id, { counted_at: new Date(nowMs) });
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages).toHaveLength(12);
  expect(new Set(pages).size).toBe(12);
});

test("continues a session in another process", async () => {
  await makeVideos(12);
  const first = await createFeed().list({ limit: 5 }, null);
  const second = await createFeed().list({ limit: 20, cursor: first.nextCursor ?? "" }, null);
  const ids = [...first.videos, ...second.videos].map(({ id }) => id);
  expect(new Set(ids).size).toBe(12);
});

test("leaves out an unlisted video and adds another one to the page", async () => {
  const rows = await makeVideos(12);
  const feed = createFeed();
  const first = await feed.list({ limit: 4 }, null);
  const gone = rows.find(({ id }) => !first.videos.some((video) => video.id === id));
  await changeVideo(database.db, gone?.id ?? "", { is_published: false });
  const rest = await feed.list({ limit: 7, cursor: first.nextCursor ?? "" }, null);
  expect(rest.videos.map(({ id }) => id)).not.toContain(gone?.id);
  expect(rest.videos).toHaveLength(7);
});

test("shows a new video once the catalogue has changed", async () => {
  await makeVideos(3);
  const feed = createFeed();
  await feed.list({}, null);
  const [added] = await makeVideos(1);
  feed.invalidate();
  const ids = (await feed.list({}, null)).videos.map(({ id }) => id);
  expect(ids).toContain(added?.id);
});

test("includes this visitor's likes but not those of others", async () => {
  const visitorId = newId();
  const [liked] = await makeVideos(3);
  await database.db
    .insertInto("likes")
    .values({ video_id: liked?.id ?? "", visitor_id: visitorId })
    .execute();
  const feed = createFeed();
  const mine = (await feed.list({}, visitorId)).videos;
  expect(mine.filter(({ isLiked }) => isLiked).map(({ id }) => id)).toEqual([liked?.id]);
  expect((await feed.list({}, null)).videos.some(({ isLiked }) => isLiked)).toBe(false);
});

test("returns which of the shown videos this visitor liked or saved", async () => {
  const visitorId = newId();
  const [liked, saved, neither] = await makeVideos(4);
  const mark = { visitor_id: visitorId };
  await database.db
    .insertInto("likes")
    .values({ ...mark, video_id: liked?.id ?? "" })
    .execute();
  await database.db
    .insertInto("favorites")
    .values({ ...mark, video_id: saved?.id ?? "" })
    .execute();
  const feed = createFeed();
  const shown = [liked, saved, neither].map((row) => row?.slug).join();
  expect((await feed.list({ shown }, visitorId)).shown).toEqual([
    { id: liked?.id, isLiked: true, isFavorite: false },
    { id: saved?.id, isLiked: false, isFavorite: true },
    { id: neither?.id, isLiked: false, isFavorite: false },
  ]);
  const all = await feed.list({}, visitorId);
  expect(all.videos.filter(({ isFavorite }) => isFavorite).map(({ id }) => id)).toEqual([
    saved?.id,
  ]);
});

test("doesn't repeat videos already shown by the page", async () => {
  const rows = await makeVideos(8);
  const shown = rows.slice(0, 2).map(({ slug }) => slug);
  const feed = createFeed();
  const first = await feed.list({ shown: [...shown, "vanished"].join(), limit: 3 }, null);
  const rest = await feed.list({ cursor: first.nextCursor ?? "", limit: 20 }, null);
  const slugs = [...first.videos, ...rest.videos].map(({ slug }) => slug);
  expect(slugs.toSorted()).toEqual(
    rows
      .slice(2)
      .map(({ slug }) => slug)
      .toSorted(),
  );
  await expect(feed.list({ shown: "a,b,c,d" }, null)).rejects.toMatchObject({ code: "invalid" });
});

test.each([
  "nonsense",
  "e30",
  btoa('{"seed":"x","at":1,"shown":[],"place":{"phase":"ranked","offset":-1}}'),
])("refuses an invalid cursor: %s", async (cursor) => {
  await expect(createFeed().list({ cursor }, null)).rejects.toMatchObject({ code: "invalid" });
});

test("ranks a completed video above a skipped one of the same length", async () => {
  const good = await makeVideos(3, { duration_s: 20, views: 500 });
  const bad = await makeVideos(3, { duration_s: 20, views: 500 });
  for (let index = 0; index < 60; index += 1) {
    const visitorId = newId();
    for (const { id } of good) await watch(visitorId, id, { watch_time_s: 20, completed: true });
    for (const { id } of bad) await watch(visitorId, id, { watch_time_s: 1 });
  }
  await fillRewards();
  const goodIds = new Set(good.map(({ id }) => id));
  const feed = createFeed();
  for (let index = 0; index < 10; index += 1) {
    const { videos } = await feed.list({ limit: 3 }, null);
    expect(videos.every(({ id }) => goodIds.has(id))).toBe(true);
  }
});

test("gives a long video no advantage over a short one", async () => {
  const short = await makeVideos(4, { duration_s: 10, views: 500 });
  const long = await makeVideos(4, { duration_s: 900, views: 500 });
  for (let index = 0; index < 40; index += 1) {
    for (const { id } of short) await watch(newId(), id, { watch_time_s: 10 - (index % 5) });
    for (const { id } of long) await watch(newId(), id, { watch_time_s: 300 - 60 * (index % 5) });
  }
  await fillRewards();
  const feed = createFeed();
  let shortFirst = 0;
  for (let index = 0; index < 100; index += 1) {
    const { videos } = await feed.list({ limit: 1 }, null);
    if (short.some(({ id }) => id === videos[0]?.id)) shortFirst += 1;
  }
  expect(shortFirst).toBeGreaterThan(20);
  expect(shortFirst).toBeLessThan(95);
});

test("shows the remaining videos of a large catalogue once each, after the ranked ones", async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into videos (id, slug, title, status, is_published, published_at, duration_s, media_token, progressive_key, trend, views)
     select gen_random_uuid(), 'bulk-' || n, 'Bulk ' || n, 'ready', true, now() - n * interval '1 minute',
       30, 'token-' || n, 'a.mp4', case when n % 3 = 0 then '-Infinity'::float8 else n end, n
     from generate_series(1, 1800) n returning id`,
  );
  const ids = (await readAll(createFeed(), newId(), 100)).flat().map(({ id }) => id);
  expect(ids).toHaveLength(rows.length);
  expect(new Set(ids).size).toBe(rows.length);
});

test("never shows the same actor twice in a row across pages", async () => {
  const actors = [];
  for (let index = 0; index < 4; index += 1) actors.push(await makeActor(database.db));
  for (let index = 0; index < 40; index += 1) {
    await makeVideo(
      database.db,
      { views: index % 2 === 0 ? 5 : 500 },
      { actorIds: [actors[index % 4]?.id ?? ""] },
    );
  }
  const videos = (await readAll(createFeed(), null, 7)).flat();
  const names = videos.map((video) => video.actors[0]?.actor.name);
  const repeats = names.flatMap((name, index) =>
    index > 0 && names[index - 1] === name ? [index] : [],
  );
  // Only the very end may have a single actor left.
  expect(repeats.filter((index) => index < 30)).toEqual([]);
});

test("shows all visitors the same first clips, starting with a requested one", async () => {
  const rows = await makeVideos(6);
  const feed = createFeed();
  const head = await feed.head(null);
  expect(head.videos).toHaveLength(3);
  expect(await feed.head(null)).toEqual(head);
  const wanted = rows[4]?.slug ?? "";
  const own = await feed.head(wanted);
  expect(own.videos[0]?.slug).toBe(wanted);
  expect(new Set(own.videos.map(({ slug }) => slug)).size).toBe(3);
  await expect(feed.head("no-such-clip")).rejects.toMatchObject({ code: "not_found" });
});

test("returns an empty feed for an empty site", async () => {
  const feed = createFeed();
  expect(await feed.list({}, null)).toEqual({ videos: [], nextCursor: null, shown: [] });
  expect(await feed.head(null)).toEqual({ videos: [], nextCursor: null, shown: [] });
});

test("adapts the order to a visitor's taste only for that visitor and shows the reason", async () => {
  const { db } = database;
  const [harbour, desert] = [await makeTag(db, { name: "harbour" }), await makeTag(db)];
  const category = await makeCategory(db, { name: "Ships" });
  const ofHarbour: string[] = [];
  for (let index = 0; index < 120; index += 1) {
    const isHarbour = index < 30;
    const { id } = await makeVideo(
      db,
      { published_at: new Date(nowMs - (40 + index) * 86_400_000) },
      { tagIds: [isHarbour ? harbour.id : desert.id], categoryIds: isHarbour ? [category.id] : [] },
    );
    if (isHarbour) ofHarbour.push(id);
  }
  const visitorId = newId();
  for (const id of ofHarbour.slice(0, 10)) await watch(visitorId, id, { completed: true });
  const feed = createFeed();
  /** Returns the harbour videos among the first ten of eight feeds, because feeds are random. */
  const firstTens = async (visitor: string | null, query: FeedQuery = {}) => {
    const lists = await Promise.all(
      Array.from({ length: 8 }, () => feed.list({ limit: 10, ...query }, visitor)),
    );
    return lists.flatMap(({ videos }) => videos.filter(({ id }) => ofHarbour.includes(id)));
  };
  const own = await firstTens(visitorId);
  expect(own.length).toBeGreaterThanOrEqual(8 * 7);
  expect(own.map(({ why }) => why)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Because you watch (#harbour|Ships)$/)]),
  );
  for (const list of [await firstTens(newId()), await firstTens(visitorId, { personal: false })]) {
    expect(list.length).toBeLessThan(8 * 6);
    expect(list.map(({ why }) => why).join()).not.toContain("Because");
  }
  expect(await firstTens(visitorId, { less: harbour.id })).toEqual([]);
});

test("recommends what viewers of the same videos also watched", async () => {
  const rows = await makeVideos(30, { published_at: new Date(nowMs - 40 * 86_400_000) });
  const [first, near] = rows;
  if (first === undefined || near === undefined) throw new Error("no videos");
  await database.pool.query(
    `insert into related_videos (video_id, ids, spare_ids, engaged, watched_ids, watched_weights)
     values ($1, '{}', '{}', 0, array[$2::uuid], array[0.9])`,
    [first.id, near.id],
  );
  const visitorId = newId();
  await watch(visitorId, first.id, { completed: true });
  // Requests all videos, because the first ones are random.
  const { videos } = await createFeed().list({ limit: 30 }, visitorId);
  expect(videos.find(({ id }) => id === near.id)?.why).toBe(`Because you watched ${first.title}`);
});

test("never shows an unwanted video again", async () => {
  const rows = await makeVideos(5);
  const not = rows[2]?.id ?? "";
  const visitorId = newId();
  await watch(visitorId, not);
  const feed = createFeed();
  const first = await feed.list({ limit: 3, not }, visitorId);
  const rest = await feed.list({ limit: 3, not, cursor: first.nextCursor ?? "" }, visitorId);
  const shown = [...first.videos, ...rest.videos].map(({ id }) => id);
  expect(shown.toSorted()).toEqual(
    rows
      .map(({ id }) => id)
      .filter((id) => id !== not)
      .toSorted(),
  );
});

test("includes a newcomer even if many videos are newer", async () => {
  await database.pool.query(
    `insert into videos (id, slug, title, status, is_published, published_at, duration_s, media_token, progressive_key, views)
     select gen_random_uuid(), 'new-' || n, 'New ' || n, 'ready', true, $1::timestamptz - n * interval '1 minute',
       30, 'token-' || n, 'a.mp4', 500
     from generate_series(1, 1400) n`,
    [new Date(nowMs)],
  );
  const { id } = await makeVideo(database.db, {
    published_at: new Date(nowMs - 23.8 * 3_600_000),
    views: 3,
  });
  const { videos } = await createFeed().list({ limit: 5 }, null);
  expect(videos[4]).toMatchObject({ id, why: "New and not widely shown yet" });
});
