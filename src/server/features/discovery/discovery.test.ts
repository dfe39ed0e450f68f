import { DOMParser } from "@xmldom/xmldom";
import { existsSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../../../test/app.ts";
import { makeCategory, makeTag } from "../../../../test/factories/make-label.ts";
import { makeDraft, makeVideo } from "../../../../test/factories/make-video.ts";
import { frameSize, slugOfAddress } from "./oembed.ts";
import { createSitemapService } from "./sitemap.service.ts";
import { webManifest } from "./web-manifest.ts";
import { escapeXml, shorten } from "./xml.ts";

const siteUrl = "https://films.example";
const hostile = `<script>alert("1")</script> & 'quotes' ]]> \u0007 🎬`;
const readable = `<script>alert("1")</script> & 'quotes' ]]>  🎬`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { SITE_URL: siteUrl } });
  const { db } = app.database;
  const category = await makeCategory(db, { name: "Fish & Chips", slug: "fish-chips" });
  const tag = await makeTag(db, { name: "<b>bold</b>", slug: "bold" });
  await makeCategory(db, { name: "Nobody's", slug: "nobodys" });
  await makeVideo(
    db,
    {
      slug: "hostile",
      title: hostile,
      description: "Tom & Jerry <i>",
      width: 1080,
      height: 1920,
      thumbnail_key: "v/abc/thumbnail.webp",
      progressive_key: "v/abc/play.mp4",
      duration_s: 61.4,
      views: 12,
      likes: 3,
    },
    { categoryIds: [category.id], tagIds: [tag.id] },
  );
  await makeVideo(db, { slug: "plain", thumbnail_key: null });
  await makeDraft(db, { slug: "secret", title: "Secret draft" });
});
afterAll(() => app.stop());

/** Fails on anything that is not well-formed. */
function parse(text: string) {
  const problems: string[] = [];
  const parser = new DOMParser({
    errorHandler: (_level, message) => problems.push(String(message)),
  });
  const document = parser.parseFromString(text, "text/xml");
  expect(problems).toEqual([]);
  return document;
}
const texts = (document: Document, name: string) =>
  Array.from(document.getElementsByTagName(name), (node) => node.textContent ?? "");
const get = (path: string, headers: Record<string, string> = {}) =>
  createClient(app.url).call("GET", path, undefined, headers);

describe("XML", () => {
  it("escapes what it can and drops what it cannot hold", () => {
    expect(escapeXml(`a<b>&"'\u0001\ud800x`)).toBe("a&lt;b&gt;&amp;&quot;&apos;x");
    expect(escapeXml("🎬")).toBe("🎬");
  });
  it("shortens between words and never inside a character", () => {
    expect(shorten("one two three four", 12)).toBe("one two…");
    expect(shorten("🎬🎬🎬🎬", 3)).toBe("🎬🎬…");
    expect(shorten("short", 12)).toBe("short");
  });
});

describe("the sitemap", () => {
  it("holds every public video with its facts, pages and used labels, and no draft", async () => {
    const answer = await get("/sitemap.xml");
    expect(answer.headers.get("content-type")).toContain("xml");
    const document = parse(answer.text);
    const addresses = texts(document, "loc");
    expect(addresses).toEqual(
      expect.arrayContaining([
        `${siteUrl}/video/hostile`,
        `${siteUrl}/video/plain`,
        `${siteUrl}/home`,
        `${siteUrl}/categories/fish-chips`,
        `${siteUrl}/tags/bold`,
      ]),
    );
    expect(addresses.join()).not.toMatch(/secret|nobodys/);
    // Without a picture there is no video entry, as the format demands.
    expect(texts(document, "video:title")).toEqual([readable]);
    expect(texts(document, "video:thumbnail_loc")).toEqual([
      `${siteUrl}/media/v/abc/thumbnail.webp`,
    ]);
    expect(texts(document, "video:player_loc")).toEqual([`${siteUrl}/embed/hostile`]);
    expect(texts(document, "video:duration")).toEqual(["61"]);
    expect(texts(document, "video:view_count")).toEqual(["12"]);
  });

  it("is the same uncompressed and compressed", async () => {
    const [plain, zipped] = await Promise.all([
      get("/sitemap.xml", { "accept-encoding": "identity" }),
      get("/sitemap.xml", { "accept-encoding": "gzip" }),
    ]);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(zipped.text).toBe(plain.text);
  });

  it("splits, and its parts hold everything once", async () => {
    const sitemap = createSitemapService({
      db: app.database.db,
      clock: app.context.clock,
      siteUrl: async () => siteUrl,
      partSize: 3,
    });
    const whole = texts(parse((await get("/sitemap.xml")).text), "loc");
    const index = texts(parse(gunzipSync(await sitemap.getRoot()).toString()), "loc");
    expect(index.length).toBe(Math.ceil(whole.length / 3));
    const parts: string[] = [];
    for (const [at, address] of index.entries()) {
      expect(address).toBe(`${siteUrl}/sitemap-${at + 1}.xml`);
      const body = await sitemap.findPart(at + 1);
      parts.push(...texts(parse(gunzipSync(body ?? Buffer.alloc(0)).toString()), "loc"));
    }
    expect(parts.toSorted()).toEqual(whole.toSorted());
    expect(new Set(parts).size).toBe(parts.length);
    expect(await sitemap.findPart(index.length + 1)).toBeNull();
  });

  it("has no part that does not exist", async () => {
    for (const part of ["2", "0", "-1", "x", "99999999999"]) {
      expect((await get(`/sitemap-${part}.xml`)).status).toBe(404);
    }
    expect((await get("/robots.txt")).text).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
  });
});

describe("the web app manifest", () => {
  it("names the site as Settings does, and icons that exist in both sizes that browsers ask for", async () => {
    const answer = await get("/manifest.webmanifest");
    expect(answer.headers.get("content-type")).toContain("application/manifest+json");
    const manifest = JSON.parse(answer.text);
    expect(manifest).toMatchObject({ name: "Kinora", start_url: "/", display: "standalone" });
    expect(manifest.icons.map((icon: { sizes: string }) => icon.sizes)).toEqual(
      expect.arrayContaining(["192x192", "512x512"]),
    );
    for (const icon of manifest.icons) {
      expect(existsSync(new URL(`../../../web/public${icon.src}`, import.meta.url))).toBe(true);
    }
    expect(
      webManifest({ siteName: "The Quiet Cinema of the North", siteDescription: "Slow." }),
    ).toMatchObject({ short_name: "The Quiet", description: "Slow." });
  });
});

describe("feeds", () => {
  it("are RSS with media elements, newest first", async () => {
    const answer = await get("/feed.rss");
    expect(answer.headers.get("content-type")).toContain("application/rss+xml");
    const document = parse(answer.text);
    expect(document.documentElement?.getAttribute("version")).toBe("2.0");
    expect(texts(document, "title")).toContain(readable);
    expect(texts(document, "title")).not.toContain("Secret draft");
    const content = document.getElementsByTagName("media:content")[0];
    expect(content?.getAttribute("url")).toMatch(new RegExp(`^${siteUrl}/media/`));
  });

  it("exist for each category, tag and actor, and only for those", async () => {
    const document = parse((await get("/categories/fish-chips/feed.rss")).text);
    expect(texts(document, "title")[0]).toBe("Fish & Chips - Kinora");
    expect(document.getElementsByTagName("item").length).toBe(1);
    expect(parse((await get("/tags/bold/feed.rss")).text).getElementsByTagName("item").length).toBe(
      1,
    );
    expect((await get("/actors/nobody/feed.rss")).status).toBe(404);
  });
});

describe("oEmbed", () => {
  const ask = (url: string, rest = "") => get(`/api/oembed?url=${encodeURIComponent(url)}${rest}`);

  it("tells how to embed a video, by the address of its page or its embed", async () => {
    for (const path of ["/video/hostile", "/embed/hostile", "/video/hostile/"]) {
      const { status, json, headers } = await ask(siteUrl + path, "&maxwidth=300&maxheight=400");
      expect(status).toBe(200);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(json).toMatchObject({ version: "1.0", type: "video", width: 225, height: 400 });
      expect(json.html).toContain(`src="${siteUrl}/embed/hostile"`);
      expect(json.html).not.toContain("<script");
    }
    const xml = await ask(`${siteUrl}/video/hostile`, "&format=xml");
    expect(texts(parse(xml.text), "title")).toEqual([readable]);
  });

  it("knows no drafts, no other site and no other format", async () => {
    expect((await ask(`${siteUrl}/video/secret`)).status).toBe(404);
    expect((await ask(`${siteUrl}/video/unknown`)).status).toBe(404);
    expect((await ask("https://elsewhere.example/video/hostile")).status).toBe(404);
    expect((await ask("javascript:alert(1)")).status).toBe(404);
    expect((await ask(`${siteUrl}/video/%ff`)).status).toBe(404);
    expect((await get("/api/oembed")).status).toBe(400);
    expect((await ask(`${siteUrl}/video/hostile`, "&format=yaml")).status).toBe(400);
  });

  it("reads addresses and fits frames", () => {
    expect(slugOfAddress("https://a.example/video/x?t=1#y", ["https://a.example"])).toBe("x");
    expect(slugOfAddress("https://a.example/videos/x", ["https://a.example"])).toBeNull();
    expect(
      frameSize({ width: 1920, height: 1080 }, { width: undefined, height: undefined }),
    ).toEqual({ width: 640, height: 360 });
    expect(frameSize({ width: 1920, height: 1080 }, { width: 1, height: 1 })).toEqual({
      width: 1,
      height: 1,
    });
    expect(frameSize({ width: null, height: null }, { width: 320, height: undefined })).toEqual({
      width: 320,
      height: 180,
    });
  });
});
