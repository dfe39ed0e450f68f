import { expect, test } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";

const app = useTestApp({ pages: true });
const admin = useClient(app);

const read = (path: string) => createClient(app.url).call("GET", path);
const translate = (id: string, translations: unknown, more: object = {}) =>
  admin.call("PUT", `/api/videos/${id}`, { translations, ...more });

test("shows a translation on the pages of its language and finds it there", async () => {
  const video = await makeVideo(app.db, {
    title: "The old loom",
    slug: "loom",
    description: "It weaves.",
  });
  await translate(video.id, {
    ar: { title: "نول <b>قديم</b>", description: "ينسج." },
    de: { title: "  Webstuhl ", description: "" },
    fr: { title: "", description: " " },
  });
  const { json } = await read("/api/videos/loom");
  expect(json.title).toBe("The old loom");
  expect(json.translations).toEqual({
    ar: { title: "نول <b>قديم</b>", description: "ينسج." },
    de: { title: "Webstuhl" },
  });
  const german = (await read("/de/video/loom")).text;
  expect(german).toContain('content="Webstuhl');
  expect(german).toContain("It weaves.");
  expect(german).not.toContain("The old loom");
  const arabic = (await read("/ar/video/loom")).text;
  expect(arabic).toContain('content="نول &lt;b&gt;قديم&lt;/b&gt;');
  expect(arabic).toContain("ينسج.");
  expect(arabic).not.toContain("Webstuhl");
  expect((await read("/fr/video/loom")).text).toContain("The old loom");
  expect((await read("/de/home")).text).toContain("Webstuhl");
  for (const word of ["Webstuhl", "نول", "ينسج", "loom"]) {
    const found = await read(`/api/videos?search=${encodeURIComponent(word)}`);
    expect([word, found.json.videos.length]).toEqual([word, 1]);
  }
  await translate(video.id, {});
  expect((await read("/api/videos/loom")).json.translations).toBeUndefined();
  expect((await read("/api/videos?search=Webstuhl")).json.videos).toEqual([]);
  await expect.poll(async () => (await read("/de/home")).text).toContain("The old loom");
});

test("shows the chapters of a translated description on the pages of its language", async () => {
  const { id } = await makeVideo(app.db, {
    slug: "dyeing",
    description: "0:00 Wool\n0:10 Colour",
  });
  await translate(id, {
    de: { title: "Färben", description: "0:00 Wolle\n0:10 Farbe" },
    fr: { description: "0:00 Laine" },
  });
  const { json } = await read("/api/videos/dyeing");
  expect(json.chapters[0].title).toBe("Wool");
  expect(json.translations.de.chapters).toEqual([
    { startS: 0, title: "Wolle" },
    { startS: 10, title: "Farbe" },
  ]);
  expect(json.translations.fr).toEqual({ description: "0:00 Laine" });
  expect((await read("/de/video/dyeing")).text).toContain('"title":"Farbe"');
  const { json: list } = await read("/api/videos?search=Färben");
  expect(list.videos[0].translations.de.chapters).toBeUndefined();
  await admin.call("PUT", `/api/videos/${id}`, { isPremium: true });
  await admin.call("POST", "/api/settings", { premiumAccess: "members" });
  const { json: locked } = await read("/api/videos/dyeing");
  expect(locked).toMatchObject({ isLocked: true, translations: { de: { title: "Färben" } } });
  expect(locked.translations.de.chapters).toBeUndefined();
  await admin.call("POST", "/api/settings", { premiumAccess: "badge" });
});

test("refuses invalid translations and an outdated version", async () => {
  const { id, version } = await makeVideo(app.db);
  const long = await translate(id, { de: { title: "x".repeat(5000) } });
  expect([long.status, long.json.issues[0].path]).toEqual([400, "translations.de.title"]);
  expect((await translate(id, { de: { title: "\ud800" } })).status).toBe(400);
  expect((await translate(id, { de: "Webstuhl" })).status).toBe(400);
  expect((await translate(id, [])).status).toBe(400);
  // Unknown fields of a body are ignored.
  expect((await translate(id, { xx: { title: "x" } })).json.translations).toBeUndefined();
  expect((await translate(id, { de: { title: "A" } }, { version })).status).toBe(200);
  expect((await translate(id, { de: { title: "B" } }, { version })).status).toBe(409);
});

test("uses the site's language for titles in RSS", async () => {
  const { id } = await makeVideo(app.db, { title: "A wheel", slug: "wheel" });
  await translate(id, { de: { title: "Ein Rad" } });
  expect((await read("/feed.rss")).text).toContain("<title>A wheel</title>");
  await admin.call("POST", "/api/settings", { language: "de" });
  await expect.poll(async () => (await read("/feed.rss")).text).toContain("<title>Ein Rad</title>");
  await admin.call("POST", "/api/settings", { language: "en" });
});

test("translates titles in suggestions, the top video, oEmbed and each language's RSS", async () => {
  const { id } = await makeVideo(app.db, { title: "A spindle", slug: "spindle", views: 9_000_000 });
  await makeVideo(app.db, { title: "A spindle of gold", slug: "gold" });
  await translate(id, { de: { title: "Eine Spindel" }, fr: { description: "Un fuseau." } });

  const suggested = await read("/api/search/suggest?q=spind");
  const own = { kind: "title", text: "A spindle", slug: "spindle" };
  expect(suggested.json.suggestions).toHaveLength(2);
  expect(suggested.json.suggestions).toEqual(
    expect.arrayContaining([
      { ...own, translations: { de: { text: "Eine Spindel" } } },
      { kind: "title", text: "A spindle of gold", slug: "gold" },
    ]),
  );

  // Also finds words that only occur in the translation.
  const foreign = await read("/api/search/suggest?q=eine%20spind");
  expect(foreign.json.suggestions).toEqual([
    { ...own, translations: { de: { text: "Eine Spindel" } } },
  ]);
  expect((await read("/api/search/suggest?q=fuseau")).json.suggestions).toEqual([]);

  const { topVideo } = (await read("/api/trending/stats?timeRange=all")).json;
  expect(topVideo.translations.de).toEqual({ title: "Eine Spindel" });
  const trending = (await read("/de/trending?timeRange=all")).text;
  expect(trending).toContain("Eine Spindel");
  expect(trending).not.toContain("A spindle<");

  // Each page links to its own oEmbed address.
  const embed = async (path: string) => {
    const link = /href="[^"]*(\/api\/oembed[^"]*)"/.exec((await read(path)).text)?.[1] ?? "";
    return (await read(link.replaceAll("&amp;", "&"))).json;
  };
  const german = await embed("/de/video/spindle");
  expect(german.title).toBe("Eine Spindel");
  expect(german.html).toContain('/de/embed/spindle"');
  expect((await embed("/fr/video/spindle")).title).toBe("A spindle");
  expect((await embed("/video/spindle")).html).toContain('/embed/spindle"');

  const rss = (await read("/de/feed.rss")).text;
  expect(rss).toContain("<language>de</language>");
  expect(rss).toContain("<title>Eine Spindel</title>");
  expect(rss).toContain("/de/video/spindle</link>");
  expect((await read("/feed.rss")).text).toContain("<title>A spindle</title>");
  expect((await read("/de/home")).text).toContain('href="/de/feed.rss"');
});
