import { randomBytes } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { readRange } from "#server/http/send-pieces.ts";

const bytes = randomBytes(300_000);
let path: string;
let draftPath: string;

const app = useTestApp();
beforeAll(async () => {
  const video = await makeVideo(app.db);
  const draft = await makeVideo(app.db, { is_published: false });
  path = `/media/v/${video.media_token}/play-abc.mp4`;
  draftPath = `/media/v/${draft.media_token}/play-abc.mp4`;
  await app.context.storage.putBytes(path.slice("/media/".length), bytes);
  await app.context.storage.putBytes(draftPath.slice("/media/".length), bytes);
  await app.context.storage.putBytes("sources/secret", bytes);
});

const get = (to: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(app.url + to, { method, headers });
const read = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe("readRange", () => {
  it("reads single byte ranges and ignores everything else", () => {
    expect(readRange(undefined, 100)).toEqual({ kind: "whole" });
    expect(readRange("bytes=0-", 100)).toEqual({ kind: "part", start: 0, end: 99 });
    expect(readRange("bytes=10-19", 100)).toEqual({ kind: "part", start: 10, end: 19 });
    expect(readRange("bytes=90-500", 100)).toEqual({ kind: "part", start: 90, end: 99 });
    expect(readRange("bytes=-30", 100)).toEqual({ kind: "part", start: 70, end: 99 });
    expect(readRange("bytes=-300", 100)).toEqual({ kind: "part", start: 0, end: 99 });
    expect(readRange("bytes=100-", 100)).toEqual({ kind: "unsatisfiable" });
    expect(readRange("bytes=-0", 100)).toEqual({ kind: "unsatisfiable" });
    for (const odd of ["bytes=20-10", "bytes=-", "items=0-1", "bytes=0-1,5-6", "bytes=a-b"]) {
      expect(readRange(odd, 100)).toEqual({ kind: "whole" });
    }
  });
});

describe("media", () => {
  it("serves a whole file as immutable with validators", async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("video/mp4");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("last-modified")).toMatch(/GMT$/);
    expect((await read(response)).equals(bytes)).toBe(true);
  });

  it("serves ranges byte for byte and responds with 416 outside the file", async () => {
    const part = await get(path, { range: "bytes=1000-1999" });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe("bytes 1000-1999/300000");
    expect(part.headers.get("content-length")).toBe("1000");
    expect((await read(part)).equals(bytes.subarray(1000, 2000))).toBe(true);
    const tail = await get(path, { range: "bytes=-10" });
    expect((await read(tail)).equals(bytes.subarray(-10))).toBe(true);
    const beyond = await get(path, { range: "bytes=300000-" });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get("content-range")).toBe("bytes */300000");
    expect(beyond.headers.get("cache-control")).toBe("no-store");
    expect(await beyond.json()).toEqual({
      code: "range_not_satisfiable",
      message: "The requested range is beyond the end of the file.",
      requestId: beyond.headers.get("x-request-id"),
    });
  });

  it("serves HEAD without a body, revalidates with 304 and respects If-Range", async () => {
    const head = await get(path, {}, "HEAD");
    expect(head.headers.get("content-length")).toBe("300000");
    expect((await read(head)).length).toBe(0);
    const etag = head.headers.get("etag") ?? "";
    expect((await get(path, { "if-none-match": etag })).status).toBe(304);
    expect((await get(path, { "if-none-match": `W/${etag}, "other"` })).status).toBe(304);
    const modified = head.headers.get("last-modified") ?? "";
    expect((await get(path, { "if-modified-since": modified })).status).toBe(304);
    const same = await get(path, { range: "bytes=0-9", "if-range": etag });
    expect(same.status).toBe(206);
    const changed = await get(path, { range: "bytes=0-9", "if-range": '"other"' });
    expect(changed.status).toBe(200);
  });

  it("lets pages of other sites read parts, and responds to all preflights alike", async () => {
    const { headers } = await get(path, { range: "bytes=0-9", origin: "https://a.example" });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toBe("Content-Length, Content-Range");
    for (const to of [path, draftPath, "/media/v/unknown/play.mp4", "/media/sources/secret"]) {
      const asked = { "access-control-request-method": "GET", origin: "https://a.example" };
      const preflight = await get(to, asked, "OPTIONS");
      const names = ["origin", "methods", "headers"].map((name) => `allow-${name}`);
      const values = [...names, "max-age"].map((name) =>
        preflight.headers.get(`access-control-${name}`),
      );
      expect([to, preflight.status, ...values]).toEqual([
        ...[to, 204, "*", "GET, HEAD", "Range", "86400"],
      ]);
    }
  });

  describe("links from other sites", () => {
    const actor = { user: { id: null, email: "test" }, requestId: "test" };
    const protect = (input: { mediaOnOtherSites?: boolean; mediaWithoutOrigin?: boolean }) =>
      app.context.settings.save(input, actor, () => undefined);
    afterEach(() => protect({ mediaOnOtherSites: true, mediaWithoutOrigin: true }));
    const statusFrom = async (site: string, destination = "video", to = path) =>
      (await get(to, { "sec-fetch-site": site, "sec-fetch-dest": destination })).status;

    it("are allowed by default", async () => {
      expect(await statusFrom("cross-site")).toBe(200);
      expect((await get(path)).headers.get("vary") ?? "").not.toContain("Sec-Fetch-Site");
    });

    it("are refused, except in a tab of their own, for pictures and for the site's own pages", async () => {
      const picture = path.replace("play-abc.mp4", "thumbnail-abc.webp");
      await app.context.storage.putBytes(picture.slice("/media/".length), bytes);
      await protect({ mediaOnOtherSites: false });
      expect(await statusFrom("cross-site")).toBe(403);
      expect(await statusFrom("cross-site", "empty")).toBe(403);
      expect(await statusFrom("cross-site", "document")).toBe(200);
      expect(await statusFrom("cross-site", "image", picture)).toBe(200);
      const own = ["same-origin", "same-site", "none"].map((site) => statusFrom(site));
      expect(await Promise.all(own)).toEqual([200, 200, 200]);
      const part = await get(path, { "sec-fetch-site": "cross-site", range: "bytes=0-9" });
      expect(part.status).toBe(403);
      expect(part.headers.get("cache-control")).toBe("no-store");
      expect((await get(path, { "sec-fetch-site": "same-origin" })).headers.get("vary")).toContain(
        "Sec-Fetch-Site",
      );
    });

    it("are refused without the name of a site only if that is wanted, too", async () => {
      await protect({ mediaWithoutOrigin: false });
      expect((await get(path)).status).toBe(200);
      await protect({ mediaOnOtherSites: false, mediaWithoutOrigin: true });
      expect((await get(path)).status).toBe(200);
      await protect({ mediaWithoutOrigin: false });
      expect((await get(path)).status).toBe(403);
    });
  });

  it("asks AI crawlers of a new site not to use its media", async () => {
    expect((await get(path)).headers.get("x-robots-tag")).toBe("noai, noimageai");
  });

  it("serves drafts to admins only", async () => {
    expect((await get(draftPath)).status).toBe(404);
    const admin = await get(draftPath, { cookie: await app.signIn() });
    expect(admin.status).toBe(200);
    expect(admin.headers.get("cache-control")).toBe("private, no-cache");
    expect((await get(draftPath, { cookie: await app.signIn("USER") })).status).toBe(404);
  });

  it("makes files public at once when a video is published and private when it is unpublished", async () => {
    const video = await makeVideo(app.db, { is_published: false });
    const file = `/media/v/${video.media_token}/play-abc.mp4`;
    await app.context.storage.putBytes(file.slice("/media/".length), bytes);
    const cookie = await app.signIn();
    const publish = (isPublished: boolean) =>
      fetch(`${app.url}/api/videos/${video.id}`, {
        method: "PUT",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ isPublished }),
      });
    const statuses: number[] = [(await get(file)).status];
    for (const isPublished of [true, false]) {
      expect((await publish(isPublished)).status).toBe(200);
      statuses.push((await get(file)).status);
    }
    expect(statuses).toEqual([404, 200, 404]);
  });

  it("never serves source files or anything outside the media folders", async () => {
    for (const to of [
      "/media/sources/secret",
      "/media/v/../sources/secret",
      "/media/v/%2e%2e/sources/secret",
      "/media/v/x/..%2f..%2fsources%2fsecret",
      "/media/v/..%5c..%5csecret/x",
      "/media//etc/passwd",
      "/media/public/../sources/secret",
      "/media/public",
      "/media/public/x/.",
      "/media/public/.hidden",
      "/media/public//x",
      `/media/public/${"x".repeat(600)}`,
      "/media/public/%00",
      `${path}/x`,
      "/media/v/unknown/play.mp4",
      "/media/",
    ]) {
      const response = await get(to);
      const isAmbiguous = /%2f|%5c|%00|\/\//.test(to);
      expect({ to, status: response.status }).toEqual({ to, status: isAmbiguous ? 400 : 404 });
    }
  });

  it("passes the file name to a configured reverse proxy", async () => {
    const proxied = await startTestApp({ env: { ACCEL_REDIRECT: "/_media" } });
    try {
      const video = await makeVideo(proxied.database.db);
      const key = `v/${video.media_token}/play-abc.mp4`;
      await proxied.context.storage.putBytes(key, bytes);
      const response = await fetch(`${proxied.url}/media/${key}`);
      expect(response.headers.get("x-accel-redirect")).toBe(`/_media/${key}`);
      expect((await read(response)).length).toBe(0);
    } finally {
      await proxied.stop();
    }
  });
});
