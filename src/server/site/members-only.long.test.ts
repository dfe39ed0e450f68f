import { request as httpRequest } from "node:http";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { confirmSession, createClient, startTestApp, useClient, useTestApp } from "#test/app.ts";
import { changeVideo, makeVideo, type VideoRow } from "#test/factories/make-video.ts";
import { makeCategory } from "#test/factories/make-label.ts";
import {
  addMembersVideo,
  closed,
  createMember,
  createVisitors,
  expectNothing,
  isOfOneVisitor,
  listsOf,
  mark,
  open,
  pathsOf,
  type AttackedSite,
} from "#test/members-attack.ts";
import { endWith } from "./media-files.routes.ts";

const now = Date.now();
const dayMs = 86_400_000;
const app = useTestApp({
  pages: true,
  env: { TRUST_PROXY: "127.0.0.1" },
  clock: { now: () => now, date: () => new Date(now) },
});
const admin = useClient(app, "OWNER");

let video: VideoRow;
let brief: VideoRow;
let free: VideoRow;
const mediaOf = (name: string) => `/media/v/${video.media_token}/${name}`;

let strangers: Record<string, Record<string, string>> = {};
let member: Record<string, string> = {};
let revokeMember: () => Promise<unknown>;

let address = 0;
const attacked: AttackedSite = {
  get db() {
    return app.db;
  },
  admin: async (method, path, body) => (await admin.call(method, path, body)).json,
  async use(code) {
    const client = createClient(app.url);
    address += 1;
    const headers = { "x-forwarded-for": `10.9.${address}.1` };
    const used = await client.call("POST", "/pass", { code, do: "use" }, headers);
    if (used.status !== 303) throw new Error(`The pass wasn't accepted: ${used.text}`);
    return [...client.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  },
  leave: (cookie) => createClient(app.url, cookie).call("POST", "/pass", { do: "leave" }),
};

async function change(method: string, path: string, body: object): Promise<void> {
  const { status, text } = await admin.call(method, path, body);
  if (status !== 200) throw new Error(`${method} ${path} failed: ${text}`);
}

beforeAll(async () => {
  const category = await makeCategory(app.db, {
    name: "Harbours",
    slug: "harbours",
    is_series: true,
  });
  const put = (key: string, bytes: Buffer) => app.context.storage.putBytes(key, bytes);
  const labels = { categoryIds: [category.id] };
  video = await addMembersVideo(app.db, put, { slug: "harbour", title: "Harbour" }, labels);
  brief = await addMembersVideo(app.db, put, { slug: "brief", title: "Brief", duration_s: 20 });
  free = await makeVideo(app.db, { slug: "free", title: "Free harbour" }, labels);
  // The first tenth of the video stands out.
  await sql`
    insert into video_bins (video_id, day, plays, watched, replayed)
    select ${video.id}, current_date, 40, array_agg(40),
      array_agg(case when n < 10 then 20 else 1 end order by n)
    from generate_series(0, 99) n`.execute(app.db);
  // An old address of the video.
  await change("PUT", `/api/videos/${video.id}`, { slug: "old-harbour" });
  await change("PUT", `/api/videos/${video.id}`, { slug: "harbour" });

  const settings = {
    podcast: true,
    replayPeak: true,
    premiumAccess: "members",
    membersUrl: "https://shop.example/join",
  };
  await change("POST", "/api/settings", settings);

  const visitors = await createVisitors(attacked);
  strangers = { ...visitors.strangers, ...visitors.oddities };
  member = { cookie: visitors.member.cookie };
  revokeMember = () => admin.call("DELETE", `/api/admin/passes/${visitors.member.id}`);
});

/** Sends a request whose target isn't normalised by a client. Returns everything received. */
const raw = (target: string, headers: Record<string, string>, method = "GET") =>
  new Promise<string>((resolve) => {
    const { hostname, port } = new URL(app.url);
    const options = {
      hostname,
      port,
      method,
      path: "/",
      headers: { ...headers, connection: "close" },
    };
    const sent = httpRequest(options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve(JSON.stringify(response.headers) + Buffer.concat(parts).toString("latin1")),
      );
      response.on("error", () => resolve(""));
    });
    // Node refuses some of these spellings itself.
    Object.assign(sent, { path: target });
    sent.on("error", () => resolve(""));
    sent.end();
  });

describe("files of a video for members", () => {
  it("reach no stranger at any of over 60 addresses", async () => {
    for (const [who, headers] of Object.entries(strangers)) {
      const names = who === "nobody" ? closed : closed.slice(0, 3);
      for (const name of names) {
        const paths =
          name === closed[0]
            ? pathsOf(video, brief, name, new URL(app.url).host)
            : [mediaOf(name), `${mediaOf(name)}?x`];
        if (name === closed[0]) expect(paths.length).toBeGreaterThan(60);
        for (const path of paths)
          expectNothing(await raw(path, headers), video, `${path} for ${who}`);
      }
    }
  });

  it("reach a member at the plain address", async () => {
    expect(await raw(mediaOf(closed[0]), member)).toContain(mark);
  });

  it("reach no stranger by a range, a condition or another method", async () => {
    const requests: [string, Record<string, string>][] = [
      ["GET", { range: "bytes=0-" }],
      ["GET", { range: "bytes=0-0" }],
      ["GET", { range: "bytes=-5" }],
      ["GET", { range: "bytes=0-1,5-6" }],
      ["GET", { range: "bytes=999999-" }],
      ["GET", { "if-none-match": "*" }],
      ["GET", { "if-modified-since": new Date(now + dayMs).toUTCString() }],
      ["GET", { "if-range": "x", range: "bytes=0-" }],
      ["GET", { authorization: "Bearer x" }],
      ["GET", { "x-original-url": "/", "x-rewrite-url": "/" }],
      ["HEAD", {}],
      ["OPTIONS", {}],
      ["POST", {}],
    ];
    for (const [who, own] of Object.entries(strangers)) {
      for (const name of closed.slice(0, who === "nobody" ? undefined : 2)) {
        for (const [method, headers] of requests) {
          const response = await fetch(app.url + mediaOf(name), {
            method,
            headers: { ...own, ...headers },
          });
          // A preflight has the same response for every address.
          const isRefused = response.status >= 400 || method === "OPTIONS";
          expect([method, name, who, isRefused]).toEqual([method, name, who, true]);
          for (const header of ["etag", "content-range", "last-modified"]) {
            expect(response.headers.get(header)).toBeNull();
          }
          expectNothing(await response.text(), video, `${method} ${name} for ${who}`);
        }
      }
    }
  });

  it("reach a member whole or in parts, and no cache", async () => {
    for (const name of closed) {
      const response = await fetch(app.url + mediaOf(name), { headers: member });
      expect([response.status, name]).toEqual([200, name]);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
      expect(response.headers.get("vary")).toContain("Cookie");
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(await response.text()).toContain(mark);
    }
    const refused = await fetch(app.url + mediaOf(closed[0]));
    expect(refused.status).toBe(403);
    expect(refused.headers.get("cache-control")).toContain("no-store");
    const part = await fetch(app.url + mediaOf(closed[0]), {
      headers: { ...member, range: "bytes=0-7" },
    });
    expect([part.status, await part.text()]).toEqual([206, mark.slice(0, 8)]);
  });

  it("leave pictures open, and the preview from 30 s of length", async () => {
    for (const name of open) {
      const response = await fetch(app.url + mediaOf(name));
      expect([response.status, await response.text(), name]).toEqual([200, "open", name]);
    }
    const path = `/media/v/${brief.media_token}/step/preview.mp4`;
    expect((await fetch(app.url + path)).status).toBe(403);
    expect((await fetch(app.url + path, { headers: member })).status).toBe(200);
  });

  it("stay closed to API tokens without the right to see every video", async () => {
    await confirmSession(admin);
    const read = async (scope: string) => {
      const body = { name: scope, scopes: [scope] };
      const { json } = await admin.call("POST", "/api/account/tokens", body);
      const headers = { authorization: `Bearer ${json.token}` };
      const file = await fetch(app.url + mediaOf(closed[0]), { headers });
      const details = await fetch(`${app.url}/api/videos/${video.id}`, { headers });
      return [file.status, await file.text(), await details.text()];
    };
    const [status, ...texts] = await read("passes.edit");
    expect(status).toBe(403);
    for (const text of texts) expectNothing(String(text), video, "a token for passes");
    const [allowed, bytes] = await read("content.read");
    expect(allowed).toBe(200);
    expect(bytes).toContain(mark);
  });

  it("are sent by this server even if a proxy sends all others", async () => {
    const proxied = await startTestApp({ besides: app, env: { ACCEL_REDIRECT: "/internal" } });
    try {
      const shown = await fetch(proxied.url + mediaOf("thumb/w640.webp"));
      expect(shown.headers.get("x-accel-redirect")).not.toBeNull();
      const refused = await fetch(proxied.url + mediaOf(closed[0]));
      expect([refused.status, refused.headers.get("x-accel-redirect")]).toEqual([403, null]);
      const played = await fetch(proxied.url + mediaOf(closed[0]), { headers: member });
      expect(played.headers.get("x-accel-redirect")).toBeNull();
      expect(await played.text()).toContain(mark);
    } finally {
      await proxied.stop();
    }
  });
});

describe("pages and lists with a video for members", () => {
  it("contain nothing withheld for strangers, and the same for members if they are cached", async () => {
    for (const path of listsOf(video, brief, free, app.url)) {
      for (const headers of [{}, ...Object.values(strangers).slice(1)]) {
        const response = await fetch(app.url + path, { headers, redirect: "manual" });
        const text = await response.text();
        expectNothing(text, video, path);
        const hasPreview = text.includes(`${brief.media_token}/step/preview.mp4`);
        expect([path, hasPreview]).toEqual([path, false]);
      }
      // Cached responses don't depend on the cookie.
      if (isOfOneVisitor(path)) continue;
      const response = await fetch(app.url + path, { headers: member, redirect: "manual" });
      expectNothing(await response.text(), video, `${path} for a member`);
    }
  });

  it("withhold the transcript, the chapters and the most replayed part", async () => {
    const read = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(app.url + path, { headers });
      return { status: response.status, text: await response.text() };
    };
    // Everyone gets the same response to these calls, also members.
    for (const headers of [{}, member]) {
      expect((await read("/api/videos/harbour/transcript", headers)).status).toBe(404);
      expect((await read("/api/videos/harbour/chapters", headers)).status).toBe(404);
      const replays = await read("/api/videos/harbour/replays", headers);
      expect(replays).toEqual({ status: 200, text: '{"peak":null}' });
    }
    const page = await read("/video/harbour");
    expect(page.text).not.toContain('"transcript"');

    const path = "/api/members/videos/harbour/transcript";
    for (const headers of Object.values(strangers)) {
      expect((await read(path, headers)).status).toBe(403);
    }
    const opened = await fetch(app.url + path, { headers: member });
    expect(opened.headers.get("cache-control")).toBe("private, no-store");
    expect(await opened.text()).toContain(mark);

    const owned = await admin.call("GET", "/api/videos/harbour/transcript");
    expect(owned.text).toContain(mark);
    const { json } = await admin.call("GET", "/api/videos/harbour/replays");
    expect(json.peak).toMatchObject({ toS: 6 });
  });

  it("show no more than title and thumbnail in a series and a podcast", async () => {
    const shown = await (await fetch(`${app.url}/api/videos/free`)).json();
    const [{ previous, next }] = shown.series;
    expect(previous ?? next).toEqual({
      slug: "harbour",
      title: "Harbour",
      thumbnail: mediaOf("thumb/w640.webp"),
    });
    const feed = await (await fetch(`${app.url}/feed.rss?kind=video`)).text();
    expect(feed).not.toContain("/api/videos/harbour/chapters");
    expect(feed).not.toContain("podcast:transcript");
  });

  it("show the page with a panel, and tell search engines that it isn't free", async () => {
    const page = await (await fetch(`${app.url}/video/harbour`)).text();
    expect(page).toContain("Only members can watch this video.");
    expect(page).toContain('href="https://shop.example/join"');
    expect(page).toContain('href="/pass?next=%2Fvideo%2Fharbour"');
    expect(page).toContain('"isAccessibleForFree":false');
    expect(page).toContain("step/preview.mp4");
    expect(page).not.toContain('og:video"');
    const embed = await (await fetch(`${app.url}/embed/harbour`)).text();
    expect(embed).toContain("Only members can watch this video.");
    expect(embed).toContain("Watch on");
    const sitemap = await (await fetch(`${app.url}/sitemap.xml`)).text();
    expect(sitemap).toContain("<video:requires_subscription>yes</video:requires_subscription>");
    const list = await (await fetch(`${app.url}/search?search=harbour`)).text();
    expect(list).toContain("Members");
  });

  it("show comments to everyone, by the rule of the site", async () => {
    const path = `${app.url}/api/videos/harbour/comments`;
    expect((await fetch(path)).status).toBe(404);
    await change("POST", "/api/settings", { comments: "open" });
    const sent = await createClient(app.url).call("POST", "/api/videos/harbour/comments", {
      text: "Fine boats",
    });
    expect(sent.status).toBe(201);
    await app.context.changed("everything");
    expect(await (await fetch(path)).text()).toContain("Fine boats");
    await change("POST", "/api/settings", { comments: "off" });
  });

  it("leave locked clips out of the feed, or show one in ten", async () => {
    for (let at = 0; at < 20; at += 1) await makeVideo(app.db, { slug: `clip-${at}` });
    const read = async (headers: Record<string, string> = {}) => {
      app.context.feed.invalidate();
      const response = await fetch(`${app.url}/api/feed?limit=20`, { headers });
      return (await response.json()).videos.map(
        (each: { isLocked?: boolean; isPremium: boolean }) => each,
      );
    };
    expect((await read()).some((each: { isPremium: boolean }) => each.isPremium)).toBe(false);
    const opened = await read(member);
    expect(opened.length).toBe(20);
    await admin.call("POST", "/api/settings", { membersInFeed: true });
    const shown = await read();
    const locked = shown.flatMap((each: { isLocked?: boolean }, at: number) =>
      each.isLocked === true ? [at] : [],
    );
    expect(locked).toEqual([9, 19]);
    expect(
      shown.every(
        (each: { isLocked?: boolean; isPremium: boolean }) =>
          each.isPremium === (each.isLocked === true),
      ),
    ).toBe(true);
    await admin.call("POST", "/api/settings", { membersInFeed: false });
  });

  it("open for a member by a call that no cache stores", async () => {
    const response = await fetch(`${app.url}/api/members/videos/old-harbour`, { headers: member });
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("vary")).toContain("Cookie");
    const opened = await response.json();
    expect(opened.isLocked).toBeUndefined();
    expect(opened.videoUrl).toBe(mediaOf("step/play.mp4"));
    expect(opened.captions).toHaveLength(1);
    expect(opened.chapters).toHaveLength(2);
  });

  it("don't exist while the video is unpublished, also for members", async () => {
    await changeVideo(app.db, video.id, { is_published: false });
    await app.context.changed(["videos", `video:${video.id}`]);
    const api = await fetch(`${app.url}/api/members/videos/${video.id}`, { headers: member });
    const file = await fetch(app.url + mediaOf(closed[0]), { headers: member });
    expect([api.status, file.status]).toEqual([404, 404]);
    await changeVideo(app.db, video.id, { is_published: true });
    await app.context.changed(["videos", `video:${video.id}`]);
  });

  it("show everything to owners, and to people with a private link", async () => {
    const shown = await admin.call("GET", `/api/videos/${video.id}`);
    expect(shown.json.videoUrl).toBe(mediaOf("step/play.mp4"));
    const file = await admin.call("GET", mediaOf("captions-a/en.vtt"));
    expect(file.text).toContain(mark);

    await admin.call("PUT", `/api/videos/${brief.id}`, { visibility: "private" });
    const { json } = await admin.call("PUT", `/api/admin/videos/${brief.id}/link`, {
      expiresAt: null,
    });
    const secret = json.path.replace("/private/", "");
    const linked = await createClient(app.url).call("GET", `/api/private/${secret}`);
    expect(linked.json.videoUrl).toBe(`/media/private/${secret}/step/play.mp4`);
    expect((await fetch(app.url + linked.json.videoUrl)).status).toBe(200);
    await admin.call("PUT", `/api/videos/${brief.id}`, { visibility: "public" });
  });

  it("end with the pass, and are free again once premium is only a badge", async () => {
    await revokeMember();
    const after = await fetch(app.url + mediaOf(closed[0]), { headers: member });
    expect(after.status).toBe(403);
    const openVideo = async () => {
      const response = await fetch(`${app.url}/api/members/videos/${video.id}`, {
        headers: member,
      });
      return { status: response.status, json: await response.json() };
    };
    expect(await openVideo()).toMatchObject({ status: 403, json: { code: "members_only" } });
    await admin.call("POST", "/api/settings", { premiumAccess: "badge" });
    // A clip in the feed asks with the ended pass and would stay locked.
    const opened = { status: 200, json: { videoUrl: mediaOf("step/play.mp4") } };
    expect(await openVideo()).toMatchObject(opened);
    const file = await fetch(app.url + mediaOf(closed[0]));
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await file.text()).toContain(mark);
    const page = await (await fetch(`${app.url}/video/harbour`)).text();
    expect(page).toContain(mediaOf("step/play.mp4"));
    await admin.call("POST", "/api/settings", { premiumAccess: "members" });
    expectNothing(await (await fetch(`${app.url}/video/harbour`)).text(), video, "the page");
    expect((await fetch(app.url + mediaOf(closed[0]))).status).toBe(403);
  });
});

const countConnections = () =>
  new Promise<number>((resolve) => {
    app.context.http.app.server.getConnections((_error, count) => resolve(count));
  });

it("ends 16 open downloads within a quarter of a minute after the pass was revoked", async () => {
  await change("POST", "/api/settings", { premiumAccess: "members" });
  const { id, cookie } = await createMember(attacked);
  // More than the buffers of both sides hold.
  const sizeBytes = 24 * 1024 * 1024;
  const name = "hls/large.mp4";
  const key = `v/${video.media_token}/${name}`;
  await app.context.storage.putBytes(key, Buffer.alloc(sizeBytes, mark));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const downloads = await Promise.all(
      Array.from({ length: 16 }, async (_, at) => {
        const range = `bytes=${at * 1000}-`;
        const response = await fetch(app.url + mediaOf(name), { headers: { cookie, range } });
        expect(response.status).toBe(206);
        const reader = response.body?.getReader();
        await reader?.read();
        return reader;
      }),
    );
    await vi.advanceTimersByTimeAsync(15_000);
    // The pass is still valid, so nothing has ended.
    for (const reader of downloads) expect((await reader?.read())?.done).toBe(false);
    await admin.call("DELETE", `/api/admin/passes/${id}`);
    const before = await countConnections();
    vi.advanceTimersByTime(15_000);
    // A client that reads faster than the pass is checked could get the rest.
    await expect.poll(countConnections).toBeLessThanOrEqual(before - downloads.length);
    for (const reader of downloads) {
      const readAll = async () => {
        while ((await reader?.read())?.done === false);
      };
      await expect(readAll()).rejects.toThrow();
    }
  } finally {
    vi.useRealTimers();
  }
  const next = await fetch(app.url + mediaOf(name), { headers: { cookie, range: "bytes=0-9" } });
  expect(next.status).toBe(403);
});

it("breaks an open response within a quarter of a minute after the pass has ended", async () => {
  vi.useFakeTimers();
  try {
    const destroy = vi.fn<() => void>();
    let isMember = true;
    const timer = endWith(async () => isMember, destroy);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(destroy).not.toHaveBeenCalled();
    isMember = false;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(destroy).toHaveBeenCalledOnce();
    clearInterval(timer);
  } finally {
    vi.useRealTimers();
  }
});
