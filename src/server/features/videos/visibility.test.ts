import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeCategory } from "#test/factories/make-label.ts";
import { makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { videoFolder } from "#server/storage/media-keys.ts";

let app: TestApp;
let admin: ReturnType<typeof createClient>;
let nowMs = Date.now();
beforeAll(async () => {
  const clock = { now: () => nowMs, date: () => new Date(nowMs) };
  app = await startTestApp({ clock, env: { RESPONSE_CACHE: "0" } });
  admin = createClient(app.url, await app.signIn());
});
afterAll(() => app.stop());

const statusOf = async (path: string) => (await fetch(app.url + path)).status;

async function addVideo(title: string) {
  const category = await makeCategory(app.db);
  const video = await makeVideo(app.db, { title, views: 5 }, { categoryIds: [category.id] });
  const key = `${videoFolder(video.media_token)}step/play.mp4`;
  await app.context.storage.putBytes(key, "bytes");
  await changeVideo(app.db, video.id, { progressive_key: key });
  return { ...video, key, category };
}

const setVisibility = async (id: string, visibility: string) => {
  const { status } = await admin.call("PUT", `/api/videos/${id}`, { visibility });
  expect(status).toBe(200);
};

async function listActions(id: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where entity_id = ${id} order by id`.execute(app.db);
  return rows.map(({ action }) => action);
}

test("leaves an unlisted video out of lists but shows it at its address", async () => {
  const { id, slug, key, category } = await addVideo("Zanzibar lantern");
  const other = await addVideo("Zanzibar harbour");
  const lists = [
    "/api/videos",
    "/api/videos?search=zanzibar",
    `/api/videos?category=${category.slug}`,
    "/api/videos?sort=most_viewed",
    "/api/videos?sort=trending&timeRange=week",
    `/api/videos/${other.id}/related`,
    "/api/feed",
    "/api/search/suggest?q=zanzi",
    "/api/trending/stats",
    "/feed.rss",
    `/categories/${category.slug}/feed.rss`,
  ];
  const namesIt = async (path: string) =>
    (await (await fetch(app.url + path)).text()).includes("Zanzibar lantern");
  for (const path of lists.slice(0, 4)) expect([path, await namesIt(path)]).toEqual([path, true]);

  await setVisibility(id, "unlisted");
  for (const path of lists) expect([path, await namesIt(path)]).toEqual([path, false]);
  expect(await (await fetch(`${app.url}/sitemap.xml`)).text()).not.toContain(`/video/${slug}<`);
  const visitor = createClient(app.url);
  const { status, json } = await visitor.call("GET", `/api/videos/${slug}`);
  expect([status, json.visibility, json.isPublished]).toEqual([200, "unlisted", true]);
  expect(await statusOf(`/media/${key}`)).toBe(200);
  expect(await statusOf(`/api/videos/${slug}/related`)).toBe(200);
  const page = encodeURIComponent(`${await app.context.settings.siteUrl()}/video/${slug}`);
  expect(await statusOf(`/api/oembed?url=${page}`)).toBe(200);
  expect((await visitor.call("POST", `/api/videos/${id}/like`)).status).toBe(200);
  const report = { watchTime: 2, completed: false };
  expect((await visitor.call("POST", `/api/videos/${id}/watch`, report)).json.counted).toBe(true);
  const found = await admin.call("GET", "/api/admin/videos?search=zanzibar");
  expect(found.json.total).toBe(2);

  await setVisibility(id, "public");
  for (const path of lists.slice(0, 4)) expect([path, await namesIt(path)]).toEqual([path, true]);
  expect((await visitor.call("GET", `/api/videos/${slug}`)).json.visibility).toBeUndefined();
});

test("shows a private video only to signed-in users", async () => {
  const { id, slug, key } = await addVideo("Private harbour");
  await setVisibility(id, "private");
  const visitor = createClient(app.url);
  for (const path of [`/api/videos/${id}`, `/api/videos/${slug}`, `/api/videos/${id}/related`]) {
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  }
  await expect.poll(() => statusOf(`/media/${key}`)).toBe(404);
  expect((await visitor.call("POST", `/api/videos/${id}/like`)).status).toBe(404);
  expect((await admin.call("GET", `/api/videos/${slug}`)).json.visibility).toBe("private");
});

test("shows the video and its files by a private link until it expires", async () => {
  const { id, key, media_token: token } = await addVideo("Linked harbour");
  const link = `/api/admin/videos/${id}/link`;
  expect((await admin.call("GET", link)).json).toEqual({ path: null, expiresAt: null });
  const expiresAt = new Date(nowMs + 3_600_000).toISOString();
  const renew = async (body: object) => (await admin.call("PUT", link, body)).json;
  const first = await renew({ expiresAt });
  const apiOf = (path: string) => `/api${path}`;
  // The link is only for private videos.
  expect(await statusOf(apiOf(first.path))).toBe(404);
  await setVisibility(id, "private");
  const visitor = createClient(app.url);
  const shown = await visitor.call("GET", apiOf(first.path));
  expect([shown.status, shown.json.visibility]).toEqual([200, "private"]);
  expect(JSON.stringify(shown.json)).not.toContain(token);
  expect(shown.headers.get("cache-control")).toContain("no-store");
  expect(shown.json.videoUrl).toBe(`/media${first.path}/step/play.mp4`);
  const file = await fetch(app.url + shown.json.videoUrl);
  expect([file.status, await file.text()]).toEqual([200, "bytes"]);
  expect(file.headers.get("cache-control")).toContain("private");
  expect(await statusOf(`/media${first.path}`)).toBe(404);
  expect(await statusOf(`/media/private/${"x".repeat(22)}/step/play.mp4`)).toBe(404);
  expect(await statusOf(`/media/${key}`)).toBe(404);

  nowMs += 3_600_001;
  expect(await statusOf(apiOf(first.path))).toBe(404);
  expect(await statusOf(shown.json.videoUrl)).toBe(404);
  expect((await admin.call("PUT", link, { expiresAt })).status).toBe(400);
  const second = await renew({ expiresAt: null });
  expect(second.path).not.toBe(first.path);
  expect(await statusOf(apiOf(first.path))).toBe(404);
  expect(await statusOf(apiOf(second.path))).toBe(200);
  await admin.call("PUT", `/api/videos/${id}`, { isPublished: false });
  expect(await statusOf(apiOf(second.path))).toBe(404);
  await admin.call("PUT", `/api/videos/${id}`, { isPublished: true });
  expect((await admin.call("DELETE", link)).status).toBe(204);
  expect(await statusOf(apiOf(second.path))).toBe(404);
  expect(await listActions(id)).toEqual(
    expect.arrayContaining(["video.link-created", "video.link-removed"]),
  );
});
