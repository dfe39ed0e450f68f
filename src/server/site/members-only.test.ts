import { request as httpRequest } from "node:http";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { confirmSession, createClient, startTestApp, useClient, useTestApp } from "#test/app.ts";
import { changeVideo, makeVideo, type VideoRow } from "#test/factories/make-video.ts";
import { makeCategory } from "#test/factories/make-label.ts";
import { spellingsOf } from "#test/target-spellings.ts";
import { endWith } from "./media-files.routes.ts";

let now = Date.now();
const dayMs = 86_400_000;
const app = useTestApp({
  pages: true,
  env: { TRUST_PROXY: "127.0.0.1" },
  clock: { now: () => now, date: () => new Date(now) },
});
const admin = useClient(app, "OWNER");

/** In every file that needs a pass, and in no other. */
const mark = "withheld-bytes";
/** Names of files that need a pass, below the folder of a video. */
const closed = [
  ...["step/play.mp4", "step/small.mp4", "hls/master.m3u8", "hls/v720.m3u8", "hls/v720.mp4"],
  ...["hls/init.mp4", "hls/seg-1.m4s", "hls/sound-1.m3u8", "hls/sound-1.mp4", "hls/av1/v720.mp4"],
  ...["story/storyboard.vtt", "story/storyboard-1.jpg", "captions-a/en.vtt", "captions-a/en.m3u8"],
  ...["audio/sound.m4a", "step/unlisted.webp", "thumbnail-old/w640.webp"],
] as const;
const open = [
  "step/poster.webp",
  "thumb/w640.webp",
  "thumb/w400.avif",
  "step/preview.mp4",
] as const;

let video: VideoRow;
let brief: VideoRow;
let folder = "";
const mediaOf = (name: string) => `/media/v/${folder}/${name}`;

/** Cookies and headers of everyone who may not play the video. */
const strangers: Record<string, Record<string, string>> = {
  nobody: {},
  "a forged cookie": { cookie: `member=${"A".repeat(43)}; member_until=${now + dayMs}` },
  "a malformed cookie": { cookie: "member=' or 1=1 --; member=%00" },
  "a foreign visitor cookie": { cookie: "visitor=00000000-0000-7000-8000-000000000000.x" },
};
let member: Record<string, string> = {};
let revokeMember: () => Promise<unknown>;

let address = 0;
async function createMember(body: object): Promise<{ id: string; code: string; cookie: string }> {
  const { json } = await admin.call("POST", "/api/admin/passes", body);
  const client = createClient(app.url);
  address += 1;
  const headers = { "x-forwarded-for": `10.9.${address}.1` };
  const used = await client.call("POST", "/pass", { code: json.code, do: "use" }, headers);
  if (used.status !== 303) throw new Error(`The pass wasn't accepted: ${used.text}`);
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  return { id: json.id, code: json.code, cookie };
}

async function change(method: string, path: string, body: object): Promise<void> {
  const { status, text } = await admin.call(method, path, body);
  if (status !== 200) throw new Error(`${method} ${path} failed: ${text}`);
}

const keysOf = (token: string) => ({
  progressive_key: `v/${token}/step/play.mp4`,
  progressive_small_key: `v/${token}/step/small.mp4`,
  audio_key: `v/${token}/audio/sound.m4a`,
  hls_key: `v/${token}/hls/master.m3u8`,
  storyboard_key: `v/${token}/story/storyboard.vtt`,
  preview_key: `v/${token}/step/preview.mp4`,
  poster_key: `v/${token}/step/poster.webp`,
  thumbnail_key: `v/${token}/thumb/w640.webp`,
});

beforeAll(async () => {
  const category = await makeCategory(app.db, {
    name: "Harbours",
    slug: "harbours",
    is_series: true,
  });
  const values = {
    is_premium: true,
    description: "About boats",
    chapters: JSON.stringify([
      { startS: 0, title: `${mark} chapter` },
      { startS: 20, title: `${mark} second` },
    ]),
  };
  video = await makeVideo(
    app.db,
    { ...values, slug: "harbour", title: "Harbour" },
    {
      categoryIds: [category.id],
    },
  );
  brief = await makeVideo(app.db, { ...values, slug: "brief", title: "Brief", duration_s: 20 });
  const free = { slug: "free", title: "Free harbour" };
  await makeVideo(app.db, free, { categoryIds: [category.id] });
  // The first tenth of the video stands out.
  await sql`
    insert into video_bins (video_id, day, plays, watched, replayed)
    select ${video.id}, current_date, 40, array_agg(40),
      array_agg(case when n < 10 then 20 else 1 end order by n)
    from generate_series(0, 99) n`.execute(app.db);
  folder = video.media_token;
  for (const each of [video, brief]) {
    await changeVideo(app.db, each.id, {
      ...keysOf(each.media_token),
      captions: JSON.stringify([
        {
          id: "1",
          language: "en",
          name: `${mark} captions`,
          isDefault: true,
          isForced: false,
          origin: "upload",
          track: null,
          lineCount: 1,
          key: `v/${each.media_token}/captions-a/en.vtt`,
        },
      ]),
    });
    for (const name of closed) {
      await app.context.storage.putBytes(
        `v/${each.media_token}/${name}`,
        Buffer.from(
          name === "captions-a/en.vtt"
            ? `WEBVTT\n\n00:01.000 --> 00:04.000\n${mark} of a line\n`
            : `${mark} of ${name} `.repeat(200),
        ),
      );
    }
    for (const name of open) {
      const isOpen = name !== "step/preview.mp4" || each === video;
      const text = isOpen ? "open" : mark;
      await app.context.storage.putBytes(`v/${each.media_token}/${name}`, Buffer.from(text));
    }
  }
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

  const expired = await createMember({ days: 1 });
  now += 2 * dayMs;
  const revoked = await createMember({ days: 9 });
  await admin.call("DELETE", `/api/admin/passes/${revoked.id}`);
  const left = await createMember({ days: 9 });
  await fetch(`${app.url}/pass`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: left.cookie, "content-type": "application/json" },
    body: JSON.stringify({ do: "leave" }),
  });
  strangers["an expired pass"] = { cookie: expired.cookie };
  strangers["a revoked pass"] = { cookie: revoked.cookie };
  strangers["a device that has left"] = { cookie: left.cookie };
  strangers["a code in place of a cookie"] = { cookie: `member=${left.code}` };
  const valid = await createMember({ days: 9 });
  member = { cookie: valid.cookie };
  revokeMember = () => admin.call("DELETE", `/api/admin/passes/${valid.id}`);
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

/** Fails if a response contains a byte, line or address that needs a pass. */
function expectNothing(text: string, where: string): void {
  const address = closed.find((name) => text.includes(`${folder}/${name}`));
  const found = { where, hasBytes: text.includes(mark), address };
  expect(found).toEqual({ where, hasBytes: false, address: undefined });
}

/** Returns the spellings and paths under which a file could leak. */
function pathsOf(name: string): string[] {
  const path = mediaOf(name);
  const host = new URL(app.url).host;
  return [
    path,
    `${path}?pass=1`,
    `${path}?ticket=x`,
    `${path}/`,
    path.replace("/media/", "/MEDIA/"),
    path.replace("/v/", "/V/"),
    path.replace("/v/", "/v/./"),
    path.replace("/v/", "//v/"),
    path.replace("/v/", "/%76/"),
    path.replace("/v/", "%2Fv%2F"),
    path.replace("/media/", "/media/ticket/x/"),
    path.replace("/media/", "/media/ticket/x.y/"),
    path.replace("/media/v/", "/media/private/"),
    path.replace("/media/", "/media/public/../"),
    path.replace("/media/", "/media/published/"),
    path.replace("/media/", "/de/media/"),
    path.replace("/media/", "/assets/../media/"),
    path.replace(folder, `${brief.media_token}/../${folder}`),
    path.replace(folder, folder.toUpperCase()),
    ...spellingsOf(path, host).map(({ target }) => target),
  ];
}

describe("files of a video for members", () => {
  it("reach no stranger at any of over 60 addresses", async () => {
    for (const [who, headers] of Object.entries(strangers)) {
      const names = who === "nobody" ? closed : closed.slice(0, 3);
      for (const name of names) {
        const paths = name === closed[0] ? pathsOf(name) : [mediaOf(name), `${mediaOf(name)}?x`];
        if (name === closed[0]) expect(paths.length).toBeGreaterThan(60);
        for (const path of paths) expectNothing(await raw(path, headers), `${path} for ${who}`);
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
          expect([method, name, who, response.status >= 400]).toEqual([method, name, who, true]);
          for (const header of ["etag", "content-range", "last-modified"]) {
            expect(response.headers.get(header)).toBeNull();
          }
          expectNothing(await response.text(), `${method} ${name} for ${who}`);
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
    for (const text of texts) expectNothing(String(text), "a token for passes");
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

const lists = () => [
  ...["/", "/home", "/feed", "/feed/harbour", "/feed/brief", "/trending", "/search?search=harbour"],
  ...[
    "/video/harbour",
    "/video/old-harbour",
    "/de/video/harbour",
    "/video/brief",
    "/VIDEO/harbour",
  ],
  ...["/embed/harbour", "/de/embed/brief", `/embed/${video.id}`, "/categories/harbours"],
  ...["/api/videos", "/api/videos?search=harbour", "/api/videos?search=withheld", "/api/feed"],
  ...["/api/videos?sort=trending", "/api/videos?category=harbours", "/api/videos/harbour"],
  ...[
    `/api/videos/${video.id}`,
    `/api/videos/${video.id.toUpperCase()}`,
    "/api/videos/old-harbour",
  ],
  ...["/api/videos/brief", "/api/videos/free/related", "/api/videos/harbour/related"],
  ...["/api/videos/harbour/midroll", "/api/videos/harbour/why", "/api/videos/harbour/comments"],
  ...["/api/search/suggest?search=har", "/api/favorites", "/api/trending/stats"],
  ...[
    "/feed.rss",
    "/feed.rss?kind=video",
    "/de/feed.rss",
    "/categories/harbours/feed.rss",
    "/sitemap.xml",
  ],
  ...[
    `/api/oembed?url=${app.url}/video/harbour`,
    `/api/oembed?format=xml&url=${app.url}/video/brief`,
  ],
  ...["/api/members/videos/harbour", `/api/members/videos/${video.id}`, "/api/private/harbour"],
  ...["/api/categories/harbours", "/pass", "/api/videos/harbour/transcript", "/podcast.rss"],
  ...["/video/harbour/transcript", "/api/videos/harbour/chapters", "/feed.podcast.rss"],
  ...["/api/members/videos/harbour/transcript", "/api/members/videos/brief/transcript?from=0"],
  ...["/api/videos/harbour/transcript?language=en&from=0", "/api/videos/brief/transcript"],
  ...[`/api/videos/harbour/transcript?track=${mediaOf("captions-a/en.vtt")}`, "/embed/free"],
  ...["/api/videos/harbour/replays", "/api/videos/free", "/video/free", "/api/search?q=withheld"],
  ...["/api/videos?category=harbours&sort=part", "/categories/harbours/feed.rss?kind=video"],
  ...[
    "/categories/harbours/podcast.rss",
    "/api/admin/videos",
    `/api/admin/videos/${video.id}/files`,
  ],
  ...[`/api/admin/videos/${video.id}/original`, `/api/videos/${video.id}/captions`, "/library"],
];

describe("pages and lists with a video for members", () => {
  it("contain nothing withheld for strangers, and the same for members if they are cached", async () => {
    for (const path of lists()) {
      for (const headers of [{}, ...Object.values(strangers).slice(1)]) {
        const response = await fetch(app.url + path, { headers, redirect: "manual" });
        const text = await response.text();
        expectNothing(text, path);
        const hasPreview = text.includes(`${brief.media_token}/step/preview.mp4`);
        expect([path, hasPreview]).toEqual([path, false]);
      }
      // Cached responses don't depend on the cookie.
      if (/^\/api\/(?:feed|members)|^\/pass/.test(path)) continue;
      const response = await fetch(app.url + path, { headers: member, redirect: "manual" });
      expectNothing(await response.text(), `${path} for a member`);
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
    await admin.call("POST", "/api/settings", { premiumAccess: "badge" });
    const file = await fetch(app.url + mediaOf(closed[0]));
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await file.text()).toContain(mark);
    const page = await (await fetch(`${app.url}/video/harbour`)).text();
    expect(page).toContain(mediaOf("step/play.mp4"));
    await admin.call("POST", "/api/settings", { premiumAccess: "members" });
    expectNothing(await (await fetch(`${app.url}/video/harbour`)).text(), "the page");
    expect((await fetch(app.url + mediaOf(closed[0]))).status).toBe(403);
  });
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
