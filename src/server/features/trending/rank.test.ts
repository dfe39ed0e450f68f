import { beforeAll, expect, it } from "vitest";
import { createClient, startTestApp, useTestApp } from "#test/app.ts";
import { makeDraft, makeVideo } from "#test/factories/make-video.ts";

const app = useTestApp({ env: { RESPONSE_CACHE: "0" } });
beforeAll(async () => {
  const { db } = app;
  await makeVideo(db, { slug: "most", views: 30, likes: 1, engaged: 10 });
  await makeVideo(db, { slug: "middle", views: 20, likes: 8, engaged: 10 });
  await makeVideo(db, { slug: "least", views: 10, duration_s: 1 });
  await makeDraft(db, { slug: "draft", views: 99 });
});

const get = (path: string) => createClient(app.url).call("GET", path);

it("explains a video's rank", async () => {
  const { json } = await get("/api/videos/middle/why?sort=most_viewed");
  expect(json).toMatchObject({
    sort: "most_viewed",
    timeRange: null,
    position: 2,
    total: 3,
    reason: "20 views of all time.",
  });
  const rated = await get("/api/videos/middle/why?sort=top_rated");
  expect(rated.json).toMatchObject({ position: 1, counts: { likes: 8, engagedViewers: 10 } });
  expect(rated.json.reason).toContain("8 of 10");
});

it("agrees with the list in every order", async () => {
  const client = createClient(app.url);
  await client.call("POST", "/api/videos/least/watch", { watchTime: 1, completed: true });
  await client.call("POST", "/api/videos/least/like");
  for (const query of [
    "sort=newest",
    "sort=most_viewed",
    "sort=top_rated",
    "sort=trending",
    "sort=trending&timeRange=week",
    "sort=most_viewed&timeRange=today",
    "sort=trending&timeRange=all",
  ]) {
    const list = await get(`/api/videos?${query}`);
    const slugs = list.json.videos.map((video: { slug: string }) => video.slug);
    for (const [at, slug] of slugs.entries()) {
      expect([query, slug, (await get(`/api/videos/${slug}/why?${query}`)).json.position]).toEqual([
        query,
        slug,
        at + 1,
      ]);
    }
  }
  const { json } = await get("/api/videos/least/why?sort=trending&timeRange=week");
  expect(json.reason).toBe(
    "6 points in the last 7 days: 1 views, 1 watched to the end, 1 likes at 4 points each.",
  );
});

it("finds no drafts and accepts no other sorts", async () => {
  expect((await get("/api/videos/draft/why")).status).toBe(404);
  expect((await get("/api/videos/unknown/why")).status).toBe(404);
  expect((await get("/api/videos/most/why?sort=random")).status).toBe(400);
});

it("refuses foreign cursors without an internal error", async () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const id = "019eac2a-0700-7f67-93d9-e663dc7a469c";
  const cursors = [
    "x",
    "e30",
    encode({ list: "most_viewed//listed", value: "1", id }),
    encode({ list: "newest//listed", value: "now", id }),
    encode({ list: "newest//listed", value: "9999-99-99T99:99:99.000000Z", id }),
    encode({ list: "newest//listed", value: "2026-01-01T00:00:00.000000Z", id: "1" }),
    encode({ list: "newest//listed", value: "2026-02-30T00:00:00.000000Z", id }),
    encode({ list: "newest//listed", value: "0000-01-01T00:00:00.000000Z", id }),
    encode({ list: "newest//listed", offset: -1 }),
    "A".repeat(900),
  ];
  for (const cursor of cursors) {
    const response = await get(`/api/videos?cursor=${cursor}`);
    expect([cursor, response.status]).toEqual([cursor, 400]);
  }
});

it("names no top video of any range before the first view", async () => {
  const other = await startTestApp({ env: { RESPONSE_CACHE: "0" } });
  try {
    await makeVideo(other.db, { views: 0 });
    for (const range of ["today", "week", "month", "all"]) {
      const path = `/api/trending/stats?timeRange=${range}`;
      const { json } = await createClient(other.url).call("GET", path);
      expect(json.topVideo).toBeNull();
    }
  } finally {
    await other.stop();
  }
});
