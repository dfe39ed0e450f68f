import { parseRssFeed } from "feedsmith";
import { parseXml } from "#test/parse-xml.ts";
import { readFile } from "node:fs/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { podcastCategories } from "#contract/site/podcast-categories.ts";
import { createClient, useClient, useTestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { makeCategory, makeTag } from "#test/factories/make-label.ts";
import { changeVideo, makeVideo } from "#test/factories/make-video.ts";
import { aac, h264, picture, tone } from "#test/sample-videos.ts";
import { sql, type Insertable } from "kysely";
import type { VideosTable } from "#server/db/schema.ts";
import { keepGuidBase } from "./podcasts.repository.ts";

const siteUrl = "https://videos.example";
const app = useTestApp({ env: { SITE_URL: siteUrl, GEO_HEADER: "CF-IPCountry" } });
const admin = useClient(app);
let withSound: Buffer;
let withoutSound: Buffer;
let logo: Buffer;

beforeAll(async () => {
  const small = [...picture("64x36", 1, 10), ...tone(1), ...h264, "-movflags", "+faststart"];
  withSound = await readFile(await encodeClip("podcast.mp4", [...small, ...aac, "-shortest"]));
  withoutSound = await readFile(await encodeClip("podcast-silent.mp4", [...small, "-map", "0:v"]));
  logo = await readFile(
    await encodeClip("podcast-logo.png", [
      ...["-f", "lavfi", "-i", "testsrc2=s=256x128", "-frames:v", "1"],
    ]),
  );
});

const feed = (path: string, headers: Record<string, string> = {}) =>
  createClient(app.url).call("GET", path, undefined, headers);

type Parent = Pick<Element, "getElementsByTagName">;
const elements = (parent: Parent, name: string) => Array.from(parent.getElementsByTagName(name));
const text = (parent: Parent, name: string) => elements(parent, name)[0]?.textContent ?? null;
const attribute = (parent: Parent, name: string, key: string) =>
  elements(parent, name)[0]?.getAttribute(key) ?? null;
const guids = (xml: string) => elements(parseXml(xml), "guid").map((node) => node.textContent);

/** Creates a video of a category whose feed is a podcast. */
async function makeEpisode(
  categoryId: string,
  values: Partial<Insertable<VideosTable>> = {},
  bytes = withSound,
) {
  const video = await makeVideo(app.db, values, { categoryIds: [categoryId] });
  const key = `v/${video.media_token}/step/play.mp4`;
  await app.context.storage.putBytes(key, bytes);
  await changeVideo(app.db, video.id, { progressive_key: key });
  return { ...video, progressive_key: key };
}

/** Creates a category with a podcast. Its feed isn't cached yet. */
const makePodcast = () => makeCategory(app.db, { is_podcast: true });

async function runJob(): Promise<void> {
  await app.runJob("podcast.files");
  // The change reaches the response cache through the database.
  for (const { invalidate } of app.context.features) invalidate?.("everything");
  app.context.http.cache.drop("everything");
}

/**
 * Returns what a feed lacks of the requirements of Apple Podcasts ("A Podcaster's Guide to RSS") and
 * of the Podcasting 2.0 namespace.
 */
function listProblems(document: Document): string[] {
  const problems: string[] = [];
  const expectThat = (isMet: boolean, rule: string) => {
    if (!isMet) problems.push(rule);
  };
  const isUrl = (value: string | null) => value !== null && URL.canParse(value);
  const root = document.documentElement;
  const namespaces = {
    itunes: "http://www.itunes.com/dtds/podcast-1.0.dtd",
    podcast: "https://podcastindex.org/namespace/1.0",
    atom: "http://www.w3.org/2005/Atom",
  };
  for (const [prefix, address] of Object.entries(namespaces)) {
    expectThat(root?.getAttribute(`xmlns:${prefix}`) === address, `namespace ${prefix}`);
  }
  for (const name of ["title", "description", "link", "language", "itunes:author"]) {
    expectThat((text(document, name) ?? "") !== "", name);
  }
  const artwork = attribute(document, "itunes:image", "href");
  expectThat(isUrl(artwork) && /\.(?:jpg|png)$/.test(artwork ?? ""), "itunes:image");
  const category = attribute(document, "itunes:category", "text") ?? "";
  expectThat((podcastCategories as readonly string[]).includes(category), "itunes:category");
  expectThat(/^(?:true|false)$/.test(text(document, "itunes:explicit") ?? ""), "itunes:explicit");
  expectThat(/^(?:episodic|serial)$/.test(text(document, "itunes:type") ?? ""), "itunes:type");
  const uuid5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expectThat(uuid5.test(text(document, "podcast:guid") ?? ""), "podcast:guid");
  const items = elements(document, "item");
  const ids = items.map((item) => text(item, "guid"));
  expectThat(new Set(ids).size === ids.length, "unique guids");
  for (const item of items) {
    const name = text(item, "title") ?? "";
    expectThat(name !== "", "title of an item");
    const [url, length, type] = ["url", "length", "type"].map((key) =>
      attribute(item, "enclosure", key),
    );
    expectThat(elements(item, "enclosure").length === 1, `${name}: one enclosure`);
    expectThat(isUrl(url ?? null) && /\.(?:m4a|mp4)$/.test(url ?? ""), `${name}: enclosure url`);
    expectThat(/^[1-9]\d*$/.test(length ?? ""), `${name}: enclosure length`);
    expectThat(/^(?:audio|video)\/mp4$/.test(type ?? ""), `${name}: enclosure type`);
    expectThat(text(item, "pubDate")?.endsWith("GMT") === true, `${name}: pubDate in RFC 2822`);
    expectThat(/^[1-9]\d*$/.test(text(item, "itunes:duration") ?? ""), `${name}: itunes:duration`);
    expectThat(/^(?:true|false)$/.test(text(item, "itunes:explicit") ?? ""), `${name}: explicit`);
    for (const transcript of elements(item, "podcast:transcript")) {
      expectThat(isUrl(transcript.getAttribute("url")), `${name}: transcript url`);
      expectThat(transcript.getAttribute("type") === "text/vtt", `${name}: transcript type`);
    }
    for (const chapters of elements(item, "podcast:chapters")) {
      expectThat(isUrl(chapters.getAttribute("url")), `${name}: chapters url`);
      const chaptersType = chapters.getAttribute("type");
      expectThat(chaptersType === "application/json+chapters", `${name}: chapters type`);
    }
  }
  return problems;
}

describe("podcast feeds", () => {
  it("stay plain RSS until an admin switches them on", async () => {
    const category = await makeCategory(app.db, {});
    await makeEpisode(category.id);
    const path = `/categories/${category.slug}/feed.rss`;
    const plain = (await feed(path)).text;
    expect(plain).not.toContain("itunes");
    expect(plain).not.toContain("<enclosure");
    const { status, json } = await admin.call("PUT", `/api/categories/${category.id}`, {
      isPodcast: true,
    });
    expect([status, json.isPodcast]).toEqual([200, true]);
    await runJob();
    expect((await feed(path)).text).toContain("<enclosure");
    const audit = await admin.call("GET", "/api/admin/audit?limit=1");
    expect(JSON.stringify(audit.json)).toContain("isPodcast");
  });

  it("meet the requirements of directories, with sound that was cut once", async () => {
    const category = await makePodcast();
    const { id, media_token: token } = await makeEpisode(category.id, {
      title: "Tom & <i>Jerry</i>",
      duration_s: 61.4,
      is_sensitive: true,
      description: "About it.\n0:00 Start\n0:30 The end",
      captions: JSON.stringify([
        { ...caption, key: "v/x/captions/de.vtt", language: "de" },
        { ...caption, key: "v/x/captions/forced.vtt", isForced: true },
        { ...caption, key: "v/x/captions/scenes.vtt", isDescription: true },
      ]),
    });
    await makeEpisode(category.id);
    await runJob();
    const path = `/categories/${category.slug}/feed.rss`;
    const { text: xml } = await feed(path);
    const document = parseXml(xml);
    expect(listProblems(document)).toEqual([]);
    // Also read by a parser of another project.
    const read = parseRssFeed(xml).items?.find(({ guid }) => guid?.value === id);
    expect(read).toMatchObject({
      title: "Tom & <i>Jerry</i>",
      guid: { isPermaLink: false },
      enclosures: [{ type: "audio/mp4", length: expect.any(Number) }],
      itunes: { duration: 61, explicit: true, episodeType: "full" },
      podcast: {
        transcripts: [{ type: "text/vtt", language: "de" }],
        chapters: { type: "application/json+chapters" },
      },
    });

    const item = elements(document, "item").find((each) => text(each, "guid") === id);
    if (item === undefined) throw new Error("no episode");
    const url = attribute(item, "enclosure", "url") ?? "";
    expect(url).toMatch(new RegExp(`^${siteUrl}/media/v/${token}/[^/]+/audio\\.m4a$`));
    expect([text(item, "itunes:duration"), text(item, "itunes:explicit")]).toEqual(["61", "true"]);
    expect(
      elements(item, "podcast:transcript").map((node) => node.getAttribute("language")),
    ).toEqual(["de"]);
    const chapters = await feed(
      (attribute(item, "podcast:chapters", "url") ?? "").slice(siteUrl.length),
    );
    expect(chapters.headers.get("content-type")).toContain("application/json+chapters");
    expect(chapters.json).toEqual({
      version: "1.2.0",
      chapters: [
        { startTime: 0, title: "Start" },
        { startTime: 30, title: "The end" },
      ],
    });

    const sound = await fetch(app.url + url.slice(siteUrl.length));
    expect(sound.headers.get("content-type")).toBe("audio/mp4");
    const { byteLength } = await sound.arrayBuffer();
    expect(attribute(item, "enclosure", "length")).toBe(String(byteLength));
    const files = await admin.call("GET", `/api/admin/videos/${id}/files`);
    expect(files.json.files).toContainEqual({ kind: "sound", height: null, sizeBytes: byteLength });
    const { json: video } = await admin.call("GET", `/api/videos/${id}`);
    expect(video.sizeBytes).toBe(byteLength + withSound.length);

    const [before] = await app.db.selectFrom("videos").selectAll().where("id", "=", id).execute();
    await runJob();
    const [after] = await app.db.selectFrom("videos").selectAll().where("id", "=", id).execute();
    expect(after?.audio_key).toBe(before?.audio_key);
  });

  it("offers the video by ?type=video, and for a video without sound", async () => {
    const category = await makePodcast();
    const silent = await makeEpisode(category.id, {}, withoutSound);
    const { id } = await makeEpisode(category.id);
    await runJob();
    const path = `/categories/${category.slug}/feed.rss`;
    const document = parseXml((await feed(`${path}?type=video`)).text);
    expect(listProblems(document)).toEqual([]);
    expect(text(document, "podcast:medium")).toBe("video");
    expect(attribute(document, "atom:link", "href")).toBe(`${siteUrl}${path}?type=video`);
    const types = (page: Document) =>
      new Map(
        elements(page, "item").map((item) => [
          text(item, "guid"),
          attribute(item, "enclosure", "type"),
        ]),
      );
    expect([...types(document).values()]).toEqual(["video/mp4", "video/mp4"]);
    const usual = types(parseXml((await feed(path)).text));
    expect([usual.get(id), usual.get(silent.id)]).toEqual(["audio/mp4", "video/mp4"]);
    expect((await feed(`${path}?type=text`)).status).toBe(400);
  });

  it("lists 50 episodes a page, with stable ids, and links the next page", async () => {
    const category = await makePodcast();
    for (let count = 0; count < 53; count += 1) {
      await makeVideo(
        app.db,
        { published_at: new Date(Date.UTC(2026, 0, 1, 0, count)) },
        { categoryIds: [category.id] },
      );
    }
    const first = (await feed(`/categories/${category.slug}/feed.rss`)).text;
    const next = elements(parseXml(first), "atom:link").find(
      (link) => link.getAttribute("rel") === "next",
    );
    const second = (await feed((next?.getAttribute("href") ?? "").slice(siteUrl.length))).text;
    expect(guids(first)).toHaveLength(50);
    expect(guids(second)).toHaveLength(3);
    expect(new Set([...guids(first), ...guids(second)]).size).toBe(53);
    expect(text(parseXml(second), "podcast:guid")).toBe(text(parseXml(first), "podcast:guid"));
    expect(second).not.toContain('rel="next"');
    expect((await feed(`/categories/${category.slug}/feed.rss?page=x`)).status).toBe(400);

    // A series lists its last parts first, each page in order.
    const change = { isSeries: true };
    expect((await admin.call("PUT", `/api/categories/${category.id}`, change)).status).toBe(200);
    app.context.http.cache.drop("everything");
    const pages = [1, 2, 3].map((page) =>
      feed(`/categories/${category.slug}/feed.rss?page=${page}`),
    );
    const [last = [], earlier = [], none = []] = (await Promise.all(pages)).map(({ text: xml }) =>
      guids(xml),
    );
    expect(none).toEqual([]);
    expect([last.length, earlier.length]).toEqual([50, 3]);
    expect(new Set([...last, ...earlier])).toEqual(new Set([...guids(first), ...guids(second)]));
    const newest = parseXml((await feed(`/categories/${category.slug}/feed.rss`)).text);
    expect(text(newest, "itunes:type")).toBe("serial");
    expect(elements(newest, "itunes:episode").map((node) => Number(node.textContent))).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 4),
    );
  });

  it("makes artwork from the site's logo, and has some without a logo", async () => {
    const tag = await makeTag(app.db, { is_podcast: true });
    await makeVideo(app.db, {}, { tagIds: [tag.id] });
    const path = `/tags/${tag.slug}/feed.rss`;
    const artworkOf = async () =>
      attribute(parseXml((await feed(path)).text), "itunes:image", "href");
    expect(await artworkOf()).toBe(`${siteUrl}/podcast.png`);
    const key = "public/site/logo-test.png";
    await app.context.storage.putBytes(key, logo);
    const logoUrl = `/media/${key}`;
    expect((await admin.call("POST", "/api/settings", { logoUrl })).status).toBe(200);
    await runJob();
    const address = (await artworkOf()) ?? "";
    expect(address).toBe(`${siteUrl}/media/${key}-podcast.jpg`);
    const bytes = Buffer.from(
      await (await fetch(app.url + address.slice(siteUrl.length))).arrayBuffer(),
    );
    expect(bytes.subarray(0, 3).toString("hex")).toBe("ffd8ff");
    await admin.call("POST", "/api/settings", { logoUrl: null });
  });

  it("uses the logo's artwork until that of a new picture is made", async () => {
    const tag = await makeTag(app.db, { is_podcast: true, image_key: "public/tags/a.png" });
    await makeVideo(app.db, {}, { tagIds: [tag.id] });
    const logoKey = "public/site/logo-kept.png";
    for (const key of [logoKey, "public/tags/a.png", "public/tags/b.png"]) {
      await app.context.storage.putBytes(key, logo);
    }
    await admin.call("POST", "/api/settings", { logoUrl: `/media/${logoKey}` });
    await runJob();
    const artworkOf = async () => {
      app.context.http.cache.drop("everything");
      const { text: xml } = await feed(`/tags/${tag.slug}/feed.rss`);
      return attribute(parseXml(xml), "itunes:image", "href");
    };
    const urlOf = (key: string) => `${siteUrl}/media/${key}-podcast.jpg`;
    expect(await artworkOf()).toBe(urlOf("public/tags/a.png"));
    await app.db.updateTable("tags").set({ image_key: "public/tags/b.png" }).execute();
    expect(await artworkOf()).toBe(urlOf(logoKey));
    await runJob();
    expect(await artworkOf()).toBe(urlOf("public/tags/b.png"));
    await admin.call("POST", "/api/settings", { logoUrl: null });
  });

  it("is the site's feed, too, if it is switched on there", async () => {
    const { status } = await admin.call("POST", "/api/settings", {
      podcast: true,
      podcastCategory: "Arts",
    });
    expect(status).toBe(200);
    app.context.http.cache.drop("everything");
    const document = parseXml((await feed("/feed.rss")).text);
    expect(attribute(document, "itunes:category", "text")).toBe("Arts");
    expect((await admin.call("POST", "/api/settings", { podcastCategory: "Cats" })).status).toBe(
      400,
    );
    await admin.call("POST", "/api/settings", { podcast: false });
  });

  it("keep their identifier after renames and merges, and share it with no other", async () => {
    const category = await makeCategory(app.db, { name: "Talk", is_podcast: true });
    await makeVideo(app.db, {}, { categoryIds: [category.id] });
    const readGuid = async (slug: string, query = "") => {
      app.context.http.cache.drop("everything");
      const { text: xml } = await feed(`/categories/${slug}/feed.rss${query}`);
      return text(parseXml(xml), "podcast:guid");
    };
    const guid = await readGuid("talk");
    const videoGuid = await readGuid("talk", "?type=video");
    await admin.call("PUT", `/api/categories/${category.id}`, { name: "Chat" });
    expect([await readGuid("chat"), await readGuid("talk")]).toEqual([guid, guid]);
    expect(await readGuid("chat", "?type=video")).toBe(videoGuid);
    const second = await makeCategory(app.db, { name: "Talk", is_podcast: true });
    await makeVideo(app.db, {}, { categoryIds: [second.id] });
    const others = [await readGuid("talk"), await readGuid("talk")];
    expect(new Set([guid, videoGuid, ...others]).size).toBe(3);
    const plain = await makeCategory(app.db, { name: "Plain" });
    await admin.call("POST", `/api/categories/${category.id}/merge`, { into: plain.id });
    expect(await readGuid("plain")).toBe(guid);
  });

  it("keep an identifier only once the site has a public address", async () => {
    const { id } = await makePodcast();
    const keep = (address: string) => keepGuidBase(app.db, { table: "categories", id, address });
    const [local, address] = ["http://localhost:3000/feed.rss", "https://tube.example/feed.rss"];
    expect([await keep(local), await keep(address), await keep(local)]).toEqual([
      local,
      address,
      address,
    ]);
    await sql`update categories set podcast_guid_base = ${local} where id = ${id}`.execute(app.db);
    expect(await keep(address)).toBe(address);
  });

  it("names its owner's email address if there is one", async () => {
    const category = await makePodcast();
    await makeVideo(app.db, {}, { categoryIds: [category.id] });
    const save = (podcastEmail: string | null) =>
      admin.call("POST", "/api/settings", { podcastEmail });
    const readOwner = async () => {
      app.context.http.cache.drop("everything");
      const { text: xml } = await feed(`/categories/${category.slug}/feed.rss`);
      return text(parseXml(xml), "itunes:owner");
    };
    expect((await save("nobody")).status).toBe(400);
    expect(await readOwner()).toBeNull();
    expect((await save("owner@videos.example")).status).toBe(200);
    expect(await readOwner()).toContain("owner@videos.example");
    expect((await admin.call("GET", "/api/settings/public")).text).not.toContain("owner@");
    await save(null);
  });
});

const caption = {
  id: "a",
  name: "Captions",
  language: "en",
  isDefault: false,
  isForced: false,
  origin: "upload",
  track: null,
  lineCount: 1,
};

describe("a video that not everyone may see", () => {
  let category: Awaited<ReturnType<typeof makePodcast>>;
  let path: string;
  beforeEach(async () => {
    category = await makePodcast();
    path = `/categories/${category.slug}/feed.rss`;
    // The feed of a label exists while it has a listed video.
    await makeVideo(app.db, {}, { categoryIds: [category.id] });
  });

  it.each([
    ["a private video", { visibility: "private" }],
    ["an unlisted video", { visibility: "unlisted" }],
    ["a draft", { is_published: false }],
    ["a video that isn't ready", { status: "processing" }],
    ["a video for some countries", { blocked_countries: ["DE"] }],
  ] as const)("is never an episode: %s", async (_kind, values) => {
    const { id } = await makeEpisode(category.id, {
      ...values,
      ...("blocked_countries" in values ? { blocked_countries: ["DE"] } : {}),
    } as Partial<Insertable<VideosTable>>);
    await app.context.restrictions.refresh();
    await runJob();
    const { text: xml } = await feed(path);
    expect(guids(xml)).toHaveLength(1);
    expect(xml).not.toContain(id);
    expect((await feed(`${path}?type=video`)).text).not.toContain(id);
  });

  it("is never an episode: a video in the trash", async () => {
    const { id, slug } = await makeEpisode(category.id);
    expect(guids((await feed(path)).text)).toContain(id);
    expect((await admin.call("DELETE", `/api/videos/${id}`)).status).toBeLessThan(300);
    app.context.http.cache.drop("everything");
    expect((await feed(path)).text).not.toContain(slug);
  });

  it("has no sound file: none is cut for members' videos, and existing ones are dropped", async () => {
    const open = await makeEpisode(category.id);
    const locked = await makeEpisode(category.id, { is_premium: true });
    const abroad = await makeEpisode(category.id, { blocked_countries: ["DE"] });
    await app.context.restrictions.refresh();
    expect((await admin.call("POST", "/api/settings", { premiumAccess: "members" })).status).toBe(
      200,
    );
    await runJob();
    const audioOf = async ({ id }: { id: string }) => {
      const query = app.db.selectFrom("videos").select("audio_key").where("id", "=", id);
      return (await query.executeTakeFirstOrThrow()).audio_key;
    };
    const key = await audioOf(open);
    for (const query of ["", "?type=video"]) {
      const { text: xml } = await feed(path + query);
      expect(xml).toContain(open.id);
      expect(xml).not.toContain(locked.id);
      expect(xml).not.toContain(locked.media_token);
    }
    expect([key, await audioOf(locked), await audioOf(abroad)]).toEqual([
      expect.stringContaining("audio"),
      null,
      null,
    ]);

    await admin.call("PUT", `/api/videos/${open.id}`, { isPremium: true });
    await runJob();
    expect(await audioOf(open)).toBeNull();
    const retired = await app.db.selectFrom("retired_files").select("key").execute();
    expect(retired).toContainEqual({ key });
    const { json } = await admin.call("GET", `/api/videos/${open.id}`);
    expect(json.sizeBytes).toBe(withSound.length);

    await admin.call("POST", "/api/settings", { premiumAccess: "badge" });
    await runJob();
    expect(await audioOf(open)).not.toBeNull();
  });

  it("is never an episode: any video while the site asks for an age or blocks a country", async () => {
    for (const [on, off] of [
      [{ ageGate: true }, { ageGate: false }],
      [{ blockedCountries: ["DE"] }, { blockedCountries: [] }],
    ]) {
      expect((await admin.call("POST", "/api/settings", on)).status).toBe(200);
      await app.context.restrictions.refresh();
      app.context.http.cache.drop("everything");
      expect(guids((await feed(path, { "cf-ipcountry": "CH" })).text)).toEqual([]);
      expect((await admin.call("POST", "/api/settings", off)).status).toBe(200);
      await app.context.restrictions.refresh();
      app.context.http.cache.drop("everything");
      expect(guids((await feed(path)).text)).toHaveLength(1);
    }
  });
});

it("serves podcast apps while other sites may not link media", async () => {
  const category = await makePodcast();
  await makeEpisode(category.id);
  await runJob();
  await admin.call("POST", "/api/settings", { mediaOnOtherSites: false });
  const document = parseXml((await feed(`/categories/${category.slug}/feed.rss`)).text);
  const url = (attribute(document, "enclosure", "url") ?? "").slice(siteUrl.length);
  const statusOf = async (headers: Record<string, string>) =>
    (await fetch(app.url + url, { headers: { range: "bytes=0-9", ...headers } })).status;
  expect(await statusOf({})).toBe(206);
  expect(await statusOf({ "sec-fetch-site": "cross-site", "sec-fetch-dest": "audio" })).toBe(403);
  await admin.call("POST", "/api/settings", { mediaOnOtherSites: true });
});
