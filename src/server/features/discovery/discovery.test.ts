import { once } from "node:events";
import { parseXml } from "#test/parse-xml.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeDraft, makeVideo } from "#test/factories/make-video.ts";
import { createTestCore } from "#test/http-core.ts";
import { registerDiscoveryRoutes, webManifest } from "./discovery.routes.ts";
import { frameSize, videoOfAddress } from "./oembed.ts";
import { createSitemapService } from "./sitemap.service.ts";
import { escapeXml } from "./xml.ts";

const siteUrl = "https://videos.example";
const hostile = `<script>alert("1")</script> & 'quotes' ]]> \u0007 🎬`;
const readable = `<script>alert("1")</script> & 'quotes' ]]>  🎬`;

const app = useTestApp({ env: { SITE_URL: siteUrl } });
beforeAll(async () => {
  const { db } = app;
  const category = await makeCategory(db, { name: "Fish & Chips", slug: "fish-chips" });
  const tag = await makeTag(db, { name: "<b>bold</b>", slug: "bold" });
  await makeCategory(db, { name: "Unused", slug: "unused" });
  await makeVideo(
    db,
    {
      slug: "hostile",
      title: hostile,
      description: "Tom & Jerry <i>\nSee https://a.example/?b=1&c=2.",
      width: 1080,
      height: 1920,
      thumbnail_key: "v/abc/thumbnail.webp",
      poster_key: "v/abc/poster.jpg",
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

const texts = (document: Document | Element, name: string) =>
  Array.from(document.getElementsByTagName(name), (node) => node.textContent ?? "");
const get = (path: string, headers: Record<string, string> = {}) =>
  createClient(app.url).call("GET", path, undefined, headers);

describe("XML", () => {
  it("escapes markup and drops characters that XML forbids", () => {
    expect(escapeXml(`a<b>&"'\u0001\ud800x`)).toBe("a&lt;b&gt;&amp;&quot;&apos;x");
    expect(escapeXml("🎬")).toBe("🎬");
  });
});

describe("the sitemap", () => {
  it("lists pages, used labels and every listed video with its data but no drafts", async () => {
    const response = await get("/sitemap.xml");
    expect(response.headers.get("content-type")).toContain("xml");
    const document = parseXml(response.text);
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
    expect(addresses.join()).not.toMatch(/secret|unused/);
    // The format requires a thumbnail for a video entry.
    expect(texts(document, "video:title")).toEqual([readable]);
    // The same picture as on the video's page.
    const { posterUrl } = (await get("/api/videos/hostile")).json;
    expect(texts(document, "video:thumbnail_loc")).toEqual([siteUrl + posterUrl]);
    expect(texts(document, "video:player_loc")).toEqual([`${siteUrl}/embed/hostile`]);
    expect(texts(document, "video:duration")).toEqual(["61"]);
    expect(texts(document, "video:view_count")).toEqual(["12"]);
  });

  it("marks sensitive videos and countries where a video is blocked", async () => {
    const { id } = await makeVideo(app.db, {
      slug: "restricted",
      ...{ is_sensitive: true, blocked_countries: ["FR", "DE"] },
    });
    onTestFinished(async () => {
      await app.db.deleteFrom("videos").where("id", "=", id).execute();
    });
    const read = async (knowsCountries: boolean) => {
      const { db, context } = app;
      const deps = { db, clock: context.clock, siteUrl: async () => siteUrl, knowsCountries };
      const document = parseXml(gunzipSync(await createSitemapService(deps).getRoot()).toString());
      return Array.from(document.getElementsByTagName("url"))
        .map((entry) => [
          ...texts(entry, "video:family_friendly"),
          ...Array.from(entry.getElementsByTagName("video:restriction"), (node) => [
            node.getAttribute("relationship"),
            node.textContent,
          ]),
        ])
        .filter((marks) => marks.length > 0);
    };
    expect(await read(true)).toEqual([["no", ["deny", "DE FR"]]]);
    expect(await read(false)).toEqual([["no"]]);
    const items = Array.from(
      parseXml((await get("/feed.rss")).text).getElementsByTagName("item"),
      (item) => [texts(item, "title")[0], texts(item, "media:rating")],
    );
    expect(items.filter(([, ratings]) => ratings?.length !== 0)).toEqual([
      [expect.any(String), ["adult"]],
    ]);
  });

  it("has the same content uncompressed and compressed", async () => {
    const [plain, zipped] = await Promise.all([
      get("/sitemap.xml", { "accept-encoding": "identity" }),
      get("/sitemap.xml", { "accept-encoding": "gzip" }),
    ]);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(zipped.text).toBe(plain.text);
  });

  it("is decompressed no faster than a client reads it", async () => {
    const sizeBytes = 64 * 1024 * 1024;
    const compressed = gzipSync(Buffer.alloc(sizeBytes, " "));
    const { app: site } = createTestCore();
    registerDiscoveryRoutes(site, {
      ...app.context,
      sitemap: { getRoot: async () => compressed, findPart: async () => null },
    });
    const origin = await site.listen({ port: 0, host: "127.0.0.1" });
    const before = process.memoryUsage().arrayBuffers;
    const clients = Array.from({ length: 4 }, () =>
      connect(Number(new URL(origin).port), "127.0.0.1").setEncoding("latin1"),
    );
    try {
      const heads = clients.map(async (client) => {
        client.write("GET /sitemap.xml HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const [head] = await once(client, "data");
        client.pause();
        return String(head);
      });
      for (const head of await Promise.all(heads)) expect(head).toMatch(/^HTTP\/1.1 200 /);
      await wait(300);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(sizeBytes);
      const whole = await fetch(`${origin}/sitemap.xml`, {
        headers: { "accept-encoding": "identity" },
      });
      expect((await whole.arrayBuffer()).byteLength).toBe(sizeBytes);
      const head = await fetch(`${origin}/sitemap.xml`, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
    } finally {
      for (const client of clients) client.destroy();
      await site.close();
    }
  });

  it("splits into parts that list everything once", async () => {
    const sitemap = createSitemapService({
      db: app.db,
      clock: app.context.clock,
      siteUrl: async () => siteUrl,
      partSize: 3,
    });
    const whole = texts(parseXml((await get("/sitemap.xml")).text), "loc");
    const index = texts(parseXml(gunzipSync(await sitemap.getRoot()).toString()), "loc");
    expect(index.length).toBe(Math.ceil(whole.length / 3));
    const parts: string[] = [];
    for (const [at, address] of index.entries()) {
      expect(address).toBe(`${siteUrl}/sitemap-${at + 1}.xml`);
      const body = await sitemap.findPart(at + 1);
      parts.push(...texts(parseXml(gunzipSync(body ?? Buffer.alloc(0)).toString()), "loc"));
    }
    expect(parts.toSorted()).toEqual(whole.toSorted());
    expect(new Set(parts).size).toBe(parts.length);
    expect(await sitemap.findPart(index.length + 1)).toBeNull();
  });

  it("refuses unknown parts", async () => {
    for (const part of ["2", "0", "-1", "x", "99999999999"]) {
      expect((await get(`/sitemap-${part}.xml`)).status).toBe(404);
    }
    expect((await get("/robots.txt")).text).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
  });
});

describe("the web app manifest", () => {
  it("has the site's name and icons that exist in both sizes that browsers request", async () => {
    const response = await get("/manifest.webmanifest");
    expect(response.headers.get("content-type")).toContain("application/manifest+json");
    const manifest = JSON.parse(response.text);
    expect(manifest).toMatchObject({ name: "Kinora", start_url: "/", display: "standalone" });
    expect(manifest.icons.map((icon: { sizes: string }) => icon.sizes)).toEqual(
      expect.arrayContaining(["192x192", "512x512"]),
    );
    for (const icon of manifest.icons) {
      expect(existsSync(new URL(`../../../web/public${icon.src}`, import.meta.url))).toBe(true);
    }
    expect(
      webManifest(
        {
          siteName: "The Quiet Cinema of the North",
          siteDescription: "Slow.",
          language: "ar",
        },
        [],
      ),
    ).toMatchObject({
      short_name: "The Quiet",
      description: "Slow.",
      lang: "ar",
      dir: "rtl",
      shortcuts: [{ name: "لك", url: "/feed" }, { name: "بحث" }, { name: "المفضلة" }],
    });
  });

  it("has the favicon of the site in its size instead of the standard icons", async () => {
    const admin = createClient(app.url, await app.signIn());
    const icons = async () => JSON.parse((await get("/manifest.webmanifest")).text).icons;
    const save = async (faviconUrl: string | null) =>
      expect((await admin.call("POST", "/api/settings", { faviconUrl })).status).toBe(200);
    const icon = await readFile(new URL("../../../web/public/icon-192.png", import.meta.url));
    await app.context.storage.putBytes("public/site/favicon/icon.png", icon);
    const uploaded = "/media/public/site/favicon/icon.png";
    await save(uploaded);
    expect(await icons()).toEqual([{ src: uploaded, sizes: "192x192" }]);
    for (const other of ["https://a.example/icon.png", "/media/public/site/favicon/gone.png"]) {
      await save(other);
      expect(await icons()).toEqual([{ src: other, sizes: "any" }]);
    }
    await save(null);
    expect(await icons()).toHaveLength(4);
  });
});

describe("RSS feeds", () => {
  it("lists media elements, newest first", async () => {
    const response = await get("/feed.rss");
    expect(response.headers.get("content-type")).toContain("application/rss+xml");
    const document = parseXml(response.text);
    expect(document.documentElement?.getAttribute("version")).toBe("2.0");
    expect(texts(document, "title")).toContain(readable);
    expect(texts(document, "title")).not.toContain("Secret draft");
    const content = document.getElementsByTagName("media:content")[0];
    expect(content?.getAttribute("url")).toMatch(new RegExp(`^${siteUrl}/media/`));
  });

  it("serves a feed for each category, tag and actor and no others, with descriptions as HTML", async () => {
    const document = parseXml((await get("/categories/fish-chips/feed.rss")).text);
    expect(texts(document, "title")[0]).toBe("Fish & Chips - Kinora");
    expect(texts(document, "description")).toEqual([
      "Newest videos: Fish & Chips",
      'Tom &amp; Jerry &lt;i&gt;<br>See <a href="https://a.example/?b=1&amp;c=2">https://a.example/?b=1&amp;c=2</a>.',
    ]);
    expect(texts(document, "media:description")).toEqual([
      "Tom & Jerry <i>\nSee https://a.example/?b=1&c=2.",
    ]);
    expect(texts(document, "language")).toEqual(["en"]);
    expect(document.getElementsByTagName("item").length).toBe(1);
    expect(
      parseXml((await get("/tags/bold/feed.rss")).text).getElementsByTagName("item").length,
    ).toBe(1);
    expect((await get("/actors/unknown/feed.rss")).status).toBe(404);
  });
});

it("lets pages of other sites read RSS feeds, also cached and unchanged ones", async () => {
  const first = await get("/feed.rss");
  const again = await get("/feed.rss");
  const etag = first.headers.get("etag") ?? "";
  const unchanged = await get("/feed.rss", { "if-none-match": etag });
  expect([first.status, again.status, unchanged.status]).toEqual([200, 200, 304]);
  for (const { headers } of [first, again, unchanged]) {
    expect(headers.get("access-control-allow-origin")).toBe("*");
  }
});

it("omits media files that hotlink rules refuse", async () => {
  const admin = createClient(app.url, await app.signIn());
  const read = async (mediaOnOtherSites: boolean, mediaWithoutOrigin: boolean) => {
    await admin.call("POST", "/api/settings", { mediaOnOtherSites, mediaWithoutOrigin });
    const sitemap = createSitemapService({
      db: app.db,
      clock: app.context.clock,
      siteUrl: async () => siteUrl,
    });
    const xml = gunzipSync(await sitemap.getRoot()).toString();
    expect(texts(parseXml(xml), "video:player_loc")).toHaveLength(1);
    const rss = parseXml((await get("/feed.rss")).text);
    expect(rss.getElementsByTagName("media:player").length).toBeGreaterThan(0);
    return [
      texts(parseXml(xml), "video:content_loc").length,
      rss.getElementsByTagName("media:content").length,
    ];
  };
  const all = await read(true, true);
  expect(all.every((count) => count > 0)).toBe(true);
  expect(await read(false, true)).toEqual(all);
  expect(await read(false, false)).toEqual([0, 0]);
  expect(await read(true, true)).toEqual(all);
});

describe("oEmbed", () => {
  const request = (url: string, rest = "") =>
    get(`/api/oembed?url=${encodeURIComponent(url)}${rest}`);

  it("describes a video by the address of its page or its embed", async () => {
    for (const path of ["/video/hostile", "/embed/hostile", "/video/hostile/"]) {
      const { status, json, headers } = await request(
        siteUrl + path,
        "&maxwidth=300&maxheight=400",
      );
      expect(status).toBe(200);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(json).toMatchObject({ version: "1.0", type: "video", width: 225, height: 400 });
      expect(json.html).toContain(`src="${siteUrl}/embed/hostile"`);
      expect(json.html).not.toContain("<script");
    }
    const xml = await request(`${siteUrl}/video/hostile`, "&format=xml");
    expect(texts(parseXml(xml.text), "title")).toEqual([readable]);
  });

  it.each([
    ["/video/hostile?t=30", "/embed/hostile?t=30"],
    ["/video/hostile?t=1m20s#x", "/embed/hostile?t=80"],
    ["/video/hostile?t=%22%3E", "/embed/hostile"],
    ["/feed/hostile", "/embed/hostile"],
    ["/de/feed/hostile?t=5", "/de/embed/hostile?t=5"],
    ["/de/video/hostile", "/de/embed/hostile"],
    ["/embed/hostile?t=7&muted=1", "/embed/hostile?t=7"],
  ])("embeds the shared address %s as %s, by http too", async (path, embed) => {
    for (const origin of [siteUrl, siteUrl.replace("https:", "http:")]) {
      const { status, json } = await request(origin + path);
      expect([status, /src="([^"]*)"/.exec(json.html)?.[1]]).toEqual([200, siteUrl + embed]);
    }
  });

  it("refuses drafts, other sites and other formats", async () => {
    expect((await request(`${siteUrl}/video/secret`)).status).toBe(404);
    expect((await request(`${siteUrl}/video/unknown`)).status).toBe(404);
    expect((await request("https://elsewhere.example/video/hostile")).status).toBe(404);
    expect((await request("javascript:alert(1)")).status).toBe(404);
    for (const other of ["ftp://videos.example", "https://videos.example:8443"]) {
      expect((await request(`${other}/video/hostile`)).status).toBe(404);
    }
    expect((await request(`${siteUrl}/feed`)).status).toBe(404);
    expect((await request(`${siteUrl}/video/%ff`)).status).toBe(404);
    expect((await get("/api/oembed")).status).toBe(400);
    expect((await request(`${siteUrl}/video/hostile`, "&format=yaml")).status).toBe(400);
  });

  it("has the thumbnail and its size, but not an uploaded one, whose size is unknown", async () => {
    const size = { width: 1920, height: 1080 };
    const own = { thumbnail_key: "v/def/thumbnail-x/w640.webp", ...size };
    await makeVideo(app.db, { slug: "own", ...own });
    await makeVideo(app.db, { slug: "posted", ...own, poster_key: "v/def/poster.webp" });
    const read = async (slug: string) => (await request(`${siteUrl}/video/${slug}`)).json;
    expect(await read("hostile")).toMatchObject({
      thumbnail_url: `${siteUrl}/media/v/abc/thumbnail.webp`,
      thumbnail_width: 360,
      thumbnail_height: 640,
    });
    expect(await read("posted")).toMatchObject({
      thumbnail_url: `${siteUrl}/media/v/def/poster.webp`,
      thumbnail_width: 960,
      thumbnail_height: 540,
    });
    expect(JSON.stringify([await read("own"), await read("plain")])).not.toContain("thumbnail");
  });

  it("reads the slug from an address and fits the frame", () => {
    const read = (path: string) => videoOfAddress(`https://a.example${path}`, "https://a.example");
    expect(read("/video/x?t=1#y")).toEqual({ slug: "x", language: null, startS: 1 });
    expect(read("/de/embed/x")).toEqual({ slug: "x", language: "de", startS: null });
    expect(read("/videos/x")).toBeNull();
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

describe("security.txt", () => {
  const read = () => createClient(app.url).call("GET", "/.well-known/security.txt");

  it("contains the contact from the settings and an expiry date", async () => {
    expect((await read()).status).toBe(404);
    const admin = createClient(app.url, await app.signIn());
    const securityContact = "mailto:security@videos.example";
    expect((await admin.call("POST", "/api/settings", { securityContact })).status).toBe(200);
    const response = await read();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const fields = new Map(
      response.text
        .trimEnd()
        .split("\n")
        .map((line) => [line.split(": ")[0], line.split(": ")[1]]),
    );
    expect([...fields.keys()]).toEqual(["Contact", "Expires", "Preferred-Languages", "Canonical"]);
    expect(fields.get("Contact")).toBe(securityContact);
    const daysLeft = (Date.parse(fields.get("Expires") ?? "") - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(178);
    expect(daysLeft).toBeLessThan(181);
    const shown = await createClient(app.url).call("GET", "/api/settings/public");
    expect(shown.json).not.toHaveProperty("securityContact");
  });

  it("refuses a contact that is neither mailto nor https", async () => {
    const admin = createClient(app.url, await app.signIn());
    for (const securityContact of [
      "security@videos.example",
      "http://videos.example/report",
      "javascript:alert(1)",
      "mailto:a@videos.example\nPolicy: https://evil.example",
      "https://videos.example/a b",
    ]) {
      const response = await admin.call("POST", "/api/settings", { securityContact });
      expect({ securityContact, status: response.status }).toEqual({
        securityContact,
        status: 400,
      });
    }
    await admin.call("POST", "/api/settings", { securityContact: "https://videos.example/report" });
    expect((await read()).text).toContain("Contact: https://videos.example/report\n");
    await admin.call("POST", "/api/settings", { securityContact: "" });
    expect((await read()).status).toBe(404);
  });
});
