import { createServer, type Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeDraft, makeVideo } from "#test/factories/make-video.ts";

let app: TestApp;
let other: TestApp;
let admin: ReturnType<typeof createClient>;
/** Pool of the second process, and the ids of its database backends. */
let otherPool: pg.Pool;
const otherPids: number[] = [];
/** Pool that connects by promise or callback. */
interface Connecting {
  connect(...given: unknown[]): unknown;
}
const pools: Connecting = pg.Pool.prototype;

function remember(pool: pg.Pool): void {
  otherPool = pool;
  pool.on("connect", (client) => {
    if ("processID" in client) otherPids.push(Number(client.processID));
  });
}

/** Stands in for a CDN and receives its requests. */
let cdn: Server;
const purged: unknown[] = [];

beforeAll(async () => {
  cdn = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      purged.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    cdn.listen(0, "127.0.0.1", resolve);
  });
  const address = cdn.address();
  const port = typeof address === "object" ? address?.port : 0;
  app = await startTestApp({
    env: { CDN_MAX_AGE: "5", CDN_PURGE_URL: `http://127.0.0.1:${port}/purge` },
  });
  admin = createClient(app.url, await app.signIn());
  const connect = vi.spyOn(pools, "connect").mockImplementationOnce(function (this: pg.Pool) {
    connect.mockRestore();
    remember(this);
    return this.connect();
  });
  other = await startTestApp({ besides: app });
});
afterAll(async () => {
  await other.stop();
  await app.stop();
  cdn.close();
});
beforeEach(async () => {
  await app.context.changed("everything");
});

const get = (process: TestApp, path: string) => createClient(process.url).call("GET", path);

/** Returns whether this process has cached a response. The check may itself put it in the cache. */
async function isCached(process: TestApp, path: string): Promise<boolean> {
  const { stats } = process.context.http.cache;
  const { misses } = stats;
  expect((await get(process, path)).status).toBe(200);
  return stats.misses === misses;
}

async function listCached(process: TestApp, paths: readonly string[]): Promise<string[]> {
  const cached: string[] = [];
  for (const path of paths) if (await isCached(process, path)) cached.push(path);
  return cached;
}

test("drops only responses that may show a published video, in two processes", async () => {
  const { db } = app;
  const [a, b] = [await makeCategory(db), await makeCategory(db)];
  const inA = await makeVideo(db, {}, { categoryIds: [a.id] });
  const inB = await makeVideo(db, { title: "Other" }, { categoryIds: [b.id] });
  const draft = await makeDraft(db, { title: "Fresh" });
  const { version } = (
    await admin.call("PUT", `/api/videos/${draft.id}`, {
      categories: [a.name],
    })
  ).json;

  const affected = [
    "/api/videos",
    "/api/videos?sort=trending&limit=3",
    "/api/videos?search=fresh",
    `/api/videos?category=${a.slug}`,
    `/api/videos/${inA.id}/related`,
    "/api/search/suggest?q=fr",
    "/api/trending/stats",
    "/api/categories",
    `/api/categories/${a.slug}`,
    "/feed.rss",
    `/categories/${a.slug}/feed.rss`,
  ];
  const unaffected = [
    `/api/videos?category=${b.slug}`,
    `/api/videos?category=${b.slug}&search=other`,
    `/api/videos/${inA.id}`,
    `/api/videos/${inB.id}`,
    `/api/categories/${b.slug}`,
    `/categories/${b.slug}/feed.rss`,
    "/api/settings/public",
    "/manifest.webmanifest",
  ];
  const all = [...affected, ...unaffected];
  for (const process of [app, other]) {
    await Promise.all(all.map((path) => get(process, path)));
    expect(await listCached(process, all)).toEqual(all);
  }

  const change = { isPublished: true, version };
  expect((await admin.call("PUT", `/api/videos/${draft.id}`, change)).status).toBe(200);
  expect(await listCached(app, all)).toEqual(unaffected);
  await expect.poll(async () => (await get(other, "/api/videos")).json.videos[0].id).toBe(draft.id);
  expect(await listCached(other, all)).toEqual(["/api/videos", ...unaffected]);

  // The video disappears at once from everywhere.
  await listCached(app, [`/api/videos/${draft.id}`]);
  await admin.call("PUT", `/api/videos/${draft.id}`, { isPublished: false });
  expect((await get(app, `/api/videos/${draft.id}`)).status).toBe(404);
  for (const path of affected) expect((await get(app, path)).text).not.toContain(draft.id);
  expect(await listCached(app, unaffected)).toEqual(unaffected);
});

test("serves no old response after a process regains its connections", async () => {
  const video = await makeVideo(app.db);
  const paths = [`/api/videos/${video.id}`, "/manifest.webmanifest"];
  await expect.poll(() => listCached(other, paths)).toEqual(paths);

  const cut: Connecting = otherPool;
  const connect = vi.spyOn(cut, "connect").mockImplementation((callback) => {
    const error = new Error("connect ECONNREFUSED");
    if (typeof callback !== "function") return Promise.reject(error);
    callback(error);
    return undefined;
  });
  await app.database.pool.query(
    "select pg_terminate_backend(pid) from unnest($1::int[]) as p (pid)",
    [otherPids],
  );
  await admin.call("PUT", `/api/videos/${video.id}`, { isPublished: false });
  await admin.call("POST", "/api/settings", { siteName: "Renamed" });
  // The process doesn't know about the change but continues to serve.
  expect((await get(other, "/manifest.webmanifest")).text).not.toContain("Renamed");
  connect.mockRestore();
  await expect
    .poll(async () => (await get(other, "/manifest.webmanifest")).text)
    .toContain("Renamed");
  expect((await get(other, `/api/videos/${video.id}`)).status).toBe(404);
});

test("declares the content of every cached response", async () => {
  const { db } = app;
  const [category, tag, actor] = [await makeCategory(db), await makeTag(db), await makeActor(db)];
  const labels = { categoryIds: [category.id], tagIds: [tag.id], actorIds: [actor.id] };
  const video = await makeVideo(
    db,
    { chapters: JSON.stringify([{ startS: 0, title: "Start" }]) },
    labels,
  );
  const captions = await fetch(`${app.url}/api/admin/videos/${video.id}/captions?language=en`, {
    method: "POST",
    headers: { cookie: await app.signIn(), origin: app.url },
    body: "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n",
  });
  expect(captions.status).toBe(201);
  await admin.call("POST", "/api/settings", {
    terms: "Terms",
    takedownLog: true,
    comments: "open",
    securityContact: "mailto:a@example.com",
    adsTxt: "# none",
    appAdsTxt: "# none",
    sellersJson: '{"sellers":[]}',
  });
  const url = `${app.context.config.siteUrl}/video/${video.slug}`;
  const ofVideo = `video:${video.id}`;
  const ofLabel = {
    categories: `category:${category.id}`,
    tags: `tag:${tag.id}`,
    actors: `actor:${actor.id}`,
  };
  const slugs = { categories: category.slug, tags: tag.slug, actors: actor.slug };
  const shown: Record<string, { path: string; tags: string[] }> = {
    "/api/videos": { path: "/api/videos?limit=1", tags: ["videos", ofVideo] },
    "/api/videos/:id": { path: `/api/videos/${video.slug}`, tags: [ofVideo] },
    "/api/videos/:id/chapters": { path: `/api/videos/${video.id}/chapters`, tags: [ofVideo] },
    "/api/videos/:id/replays": {
      path: `/api/videos/${video.id}/replays`,
      tags: ["settings", ofVideo],
    },
    "/api/videos/:id/transcript": { path: `/api/videos/${video.id}/transcript`, tags: [ofVideo] },
    "/api/videos/:id/comments": {
      path: `/api/videos/${video.id}/comments`,
      tags: ["settings", ofVideo],
    },
    "/api/videos/:id/midroll": {
      path: `/api/videos/${video.id}/midroll`,
      tags: ["settings", ofVideo],
    },
    "/api/videos/:id/clips": { path: `/api/videos/${video.id}/clips`, tags: [ofVideo] },
    "/api/videos/:id/related": {
      path: `/api/videos/${video.id}/related`,
      tags: ["videos", ofVideo],
    },
    "/api/videos/:id/why": { path: `/api/videos/${video.id}/why`, tags: ["videos", ofVideo] },
    "/api/trending/stats": { path: "/api/trending/stats", tags: ["videos"] },
    "/api/search/suggest": { path: "/api/search/suggest?q=v", tags: ["labels", "videos"] },
    "/api/settings/public": { path: "/api/settings/public", tags: ["settings"] },
    "/api/pages/:name": { path: "/api/pages/terms", tags: ["settings"] },
    "/api/privacy": { path: "/api/privacy", tags: ["settings", "ads"] },
    "/api/oembed": { path: `/api/oembed?url=${url}`, tags: ["settings", ofVideo] },
    "/api/takedowns": { path: "/api/takedowns", tags: ["settings"] },
    "/robots.txt": { path: "/robots.txt", tags: ["settings"] },
    "/ads.txt": { path: "/ads.txt", tags: ["settings"] },
    "/app-ads.txt": { path: "/app-ads.txt", tags: ["settings"] },
    "/sellers.json": { path: "/sellers.json", tags: ["settings"] },
    "/manifest.webmanifest": { path: "/manifest.webmanifest", tags: ["settings"] },
    "/.well-known/security.txt": { path: "/.well-known/security.txt", tags: ["settings"] },
    "/feed.rss": { path: "/feed.rss", tags: ["settings", "videos", ofVideo] },
  };
  for (const kind of ["categories", "tags", "actors"] as const) {
    shown[`/api/${kind}`] = { path: `/api/${kind}`, tags: ["labels", "videos"] };
    shown[`/api/${kind}/:id`] = { path: `/api/${kind}/${slugs[kind]}`, tags: [ofLabel[kind]] };
    shown[`/${kind}/:slug/feed.rss`] = {
      path: `/${kind}/${slugs[kind]}/feed.rss`,
      tags: ["settings", ofLabel[kind], ofVideo],
    };
  }
  const cached = app.routes.filter(({ method, isCached }) => isCached && method === "GET");
  expect(cached.map((route) => route.url).toSorted()).toEqual(Object.keys(shown).toSorted());
  for (const { path, tags } of Object.values(shown)) {
    const response = await get(app, path);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    const given = response.headers.get("cache-tag")?.split(",");
    expect({ path, given }).toEqual({ path, given: expect.arrayContaining(tags) });
  }
});

test("lets a CDN cache shared responses for a while and reports each change to it", async () => {
  const path = "/api/settings/public";
  for (const response of [await get(app, path), await get(app, path)]) {
    expect(response.headers.get("cache-control")).toBe(
      "public, max-age=0, s-maxage=5, stale-while-revalidate=5",
    );
    expect(response.headers.get("vary")).toBe("accept-encoding");
    expect(response.headers.get("cache-tag")).toBe("settings");
  }
  expect((await get(other, path)).headers.get("cache-control")).toBe("no-cache");
  expect((await admin.call("GET", path)).headers.get("cache-control")).toBe("private, no-store");
  expect((await get(app, "/api/feed")).headers.get("cache-control")).not.toContain("public");
  expect((await get(app, "/api/videos/none")).headers.get("cache-control")).toBe("no-store");

  expect(purged).toContainEqual({ everything: true });
  await expect
    .poll(async () => {
      await admin.call("POST", "/api/settings", { siteName: "Reported" });
      // Longer than the time for which changes are collected.
      await wait(700);
      return purged.at(-1);
    })
    .toEqual({ tags: ["settings"] });
});
