import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../../../test/app.ts";
import { makeCategory, makeTag } from "../../../../test/factories/make-label.ts";
import { makeDraft, makeVideo } from "../../../../test/factories/make-video.ts";

let app: TestApp;
let admin: ReturnType<typeof createClient>;

beforeAll(async () => {
  app = await startTestApp();
  admin = createClient(app.url, await app.signIn());
});
afterAll(() => app.stop());

const titles = (response: { json: { videos: { title: string }[] } }) =>
  response.json.videos.map((video) => video.title);

it("filters by state, premium, label and words, and sorts by any column", async () => {
  const { db } = app.database;
  const night = await makeCategory(db, { name: "Filter night" });
  await makeVideo(
    db,
    { title: "Filter alpha", views: 5, is_premium: true },
    { categoryIds: [night.id] },
  );
  await makeDraft(db, { title: "Filter beta 100%", views: 9 });
  await makeVideo(db, {
    title: "Filter gamma",
    views: 7,
    status: "failed",
    failure_reason: "broken",
  });
  const list = (query: string) => admin.call("GET", `/api/admin/videos?search=filter&${query}`);

  expect(titles(await list("sort=views&order=desc"))).toEqual([
    "Filter beta 100%",
    "Filter gamma",
    "Filter alpha",
  ]);
  expect(titles(await list("sort=title&order=asc"))).toEqual([
    "Filter alpha",
    "Filter beta 100%",
    "Filter gamma",
  ]);
  expect(titles(await list("state=draft"))).toEqual(["Filter beta 100%"]);
  expect(titles(await list("state=failed"))).toEqual(["Filter gamma"]);
  expect(titles(await list("premium=true"))).toEqual(["Filter alpha"]);
  expect(titles(await list("category=filter-night"))).toEqual(["Filter alpha"]);
  expect(titles(await list("category=none-such"))).toEqual([]);
  expect(titles(await admin.call("GET", "/api/admin/videos?search=100%25"))).toEqual([
    "Filter beta 100%",
  ]);
  expect((await list("state=odd")).status).toBe(400);
  expect((await list("limit=1&offset=1&sort=title&order=asc")).json).toMatchObject({ total: 3 });
});

it("finds beside a filter what the search finds alone, also by a tag", async () => {
  const { db } = app.database;
  const tag = await makeTag(db, { name: "Bioluminescence" });
  await makeVideo(db, { title: "Glow of the bay" }, { tagIds: [tag.id] });
  await makeVideo(db, { title: "Glow unseen", is_published: false }, { tagIds: [tag.id] });
  const search = "search=bioluminescence";
  expect((await admin.call("GET", `/api/videos?${search}`)).json.total).toBe(2);
  const narrowed = await admin.call("GET", `/api/admin/videos?${search}&state=draft`);
  expect(titles(narrowed)).toEqual(["Glow unseen"]);
  expect(narrowed.json.total).toBe(1);
});
