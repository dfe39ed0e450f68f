import { beforeEach, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeVideo, type VideoRow } from "#test/factories/make-video.ts";
import { rewardScale } from "./rewards.ts";

/** Visitors with many cookies push one video through two processes that share a database. */

const videoCount = 46;
const durationS = 8;
let now = Date.now();
/** The first video has the best plays so far, the last one the worst. */
let videos: VideoRow[];

const clock = { now: () => now, date: () => new Date(now) };
const env = { TRUST_PROXY: "127.0.0.1", RESPONSE_CACHE: "0" };
const app = useTestApp({ clock, env });
const other = useTestApp(() => ({ clock, env, besides: app }));

beforeEach(async () => {
  await app.db.deleteFrom("videos").execute();
  await app.db.deleteFrom("watches").execute();
  now += 2 * 86_400_000;
  const plays = 30;
  videos = await Promise.all(
    Array.from({ length: videoCount }, (_, at) =>
      makeVideo(app.db, {
        duration_s: durationS,
        published_at: new Date(now - 30 * 86_400_000),
        engaged: plays,
        likes: at === videoCount - 1 ? 0 : 5,
        views: plays,
        reward_count: plays * rewardScale(now),
        reward_sum: plays * rewardScale(now) * (0.85 - (0.7 * at) / videoCount),
      }),
    ),
  );
  await refresh();
});

const refresh = () => app.context.changed("everything");
const worst = () => videos.at(-1) ?? expect.fail("no videos");

/** Creates a visitor with a new cookie, whose reports alternate between both processes. */
function createBot(address: string, number: number) {
  const client = createClient(number % 2 === 0 ? app.url : other.url);
  const from = { "x-forwarded-for": address };
  const post = async (path: string, body?: unknown) => {
    const { status } = await client.call("POST", path, body, from);
    expect([path, status]).toEqual([path, status === 200 ? 200 : 202]);
  };
  return {
    begin: (id: string) => post(`/api/videos/${id}/watch`, { watchTime: 0, completed: false }),
    end: (id: string) => post(`/api/videos/${id}/watch`, { watchTime: durationS, completed: true }),
    like: (id: string) => post(`/api/videos/${id}/like`),
  };
}

/** Each bot plays the worst video and some others to the end. */
async function push(addresses: readonly string[], bots: number, others: number): Promise<void> {
  const all = addresses.flatMap((address) =>
    Array.from({ length: bots }, (_, number) => createBot(address, number)),
  );
  const targets = [...videos.slice(20, 20 + others), worst()];
  for (const { id } of targets) await Promise.all(all.map((bot) => bot.begin(id)));
  now += durationS * 1000;
  for (const { id } of targets) await Promise.all(all.map((bot) => bot.end(id)));
  await Promise.all([app.context.watches.drain(), other.context.watches.drain()]);
  await refresh();
}

/** Counts how often each video comes first in new sessions, in both processes. */
async function countFirst(): Promise<Map<string, number>> {
  const firsts = new Map<string, number>();
  for (let session = 0; session < 30; session += 1) {
    for (const { url } of [app, other]) {
      const { json } = await createClient(url).call("GET", "/api/feed?limit=1");
      const slug = String(json.videos[0].slug);
      firsts.set(slug, (firsts.get(slug) ?? 0) + 1);
    }
  }
  return firsts;
}

it("keeps the worst video off the first place when one address pushes it with 110 cookies", async () => {
  await push(["203.0.113.7"], 110, 1);
  const firsts = await countFirst();
  expect(firsts.get(worst().slug) ?? 0).toBe(0);
  expect(firsts.get(videos[0]?.slug ?? "") ?? 0).toBeGreaterThan(0);
});

it("keeps the worst video off the first place when 20 address groups push it with 15 cookies each", async () => {
  await push(
    Array.from({ length: 20 }, (_, group) => `198.51.${group}.7`),
    15,
    9,
  );
  expect((await countFirst()).get(worst().slug) ?? 0).toBe(0);
});

it("counts 500 likes from one address in the number shown but not in the ranking", async () => {
  for (let bot = 0; bot < 500; bot += 1) await createBot("203.0.113.7", bot).like(worst().id);
  const list = await createClient(other.url).call("GET", "/api/videos?sort=top_rated&limit=100");
  const shown = list.json.videos.at(-1);
  expect([shown.slug, shown.likes]).toEqual([worst().slug, 500]);
  const trending = await createClient(app.url).call("GET", "/api/videos?sort=trending&limit=100");
  const trends = await app.db
    .selectFrom("videos")
    .select("trend")
    .where("id", "=", worst().id)
    .executeTakeFirstOrThrow();
  expect(trends.trend).toBe(-Infinity);
  expect(trending.json.videos).toHaveLength(videoCount);
});

it("counts few likes from one address group, even from visitors who watched", async () => {
  const bots = Array.from({ length: 100 }, (_, number) => createBot(`203.0.113.${number}`, number));
  const { id, slug } = worst();
  await Promise.all(bots.map((bot) => bot.begin(id)));
  now += durationS * 1000;
  await Promise.all(bots.map((bot) => bot.end(id)));
  await Promise.all(bots.map((bot) => bot.like(id)));
  const row = await app.db
    .selectFrom("videos")
    .select(["likes", "unranked_likes"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ likes: 100, unranked_likes: 93 });
  const list = await createClient(app.url).call("GET", "/api/videos?sort=top_rated&limit=100");
  expect(list.json.videos.at(-1).slug).toBe(slug);
});

it("keeps a video that one network pushes behind a watched one in Trending", async () => {
  const bots = Array.from({ length: 100 }, (_, number) => createBot(`203.0.113.${number}`, number));
  const viewers = Array.from({ length: 12 }, (_, number) =>
    createBot(`198.51.${number}.7`, number),
  );
  const watched = videos[30] ?? expect.fail("no video");
  const plays = [
    ...bots.map((bot) => ({ bot, id: worst().id })),
    ...viewers.map((bot) => ({ bot, id: watched.id })),
  ];
  // The second view of each visitor comes after the time in which plays count once.
  for (let view = 0; view < 2; view += 1) {
    await Promise.all(plays.map(({ bot, id }) => bot.begin(id)));
    now += durationS * 1000;
    await Promise.all(plays.map(({ bot, id }) => bot.end(id)));
    now += 31 * 60_000;
  }
  await refresh();
  for (const query of ["sort=trending", "sort=trending&timeRange=today"]) {
    const list = await createClient(other.url).call("GET", `/api/videos?${query}&limit=2`);
    const shown = list.json.videos.map((video: VideoRow) => [video.slug, video.views]);
    expect([query, shown]).toEqual([
      query,
      [
        [watched.slug, 30 + 2 * viewers.length],
        [worst().slug, 30 + 2 * bots.length],
      ],
    ]);
  }
});
