import { crc32, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { thumbnailFileNames } from "#contract/videos/thumbnail-files.ts";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";

const app = useTestApp();
const admin = useClient(app, "OWNER");

it("responds with 409 to a rename if another transaction takes the name in the meantime", async () => {
  const { id } = await makeTag(app.db, { name: "Racing" });
  const renaming = await app.db.transaction().execute(async (trx) => {
    await makeTag(trx, { name: "Contested" });
    const call = admin.call("PUT", `/api/tags/${id}`, { name: "Contested" });
    // The call found the name free and now waits for this transaction.
    await expect.poll(() => countLockWaits(app.db)).toBe(1);
    return { call };
  });
  const { status, json } = await renaming.call;
  expect([status, json.code]).toEqual([409, "conflict"]);
});

it("retains a rename that another transaction makes in the meantime", async () => {
  const { id } = await makeTag(app.db, { name: "First name" });
  const describing = await app.db.transaction().execute(async (trx) => {
    const renamed = { name: "Second name", slug: "second-name" };
    await trx.updateTable("tags").set(renamed).where("id", "=", id).execute();
    const call = admin.call("PUT", `/api/tags/${id}`, { description: "New" });
    await expect.poll(() => countLockWaits(app.db)).toBe(1);
    return { call };
  });
  const { json } = await describing.call;
  expect(json).toMatchObject({ name: "Second name", slug: "second-name", description: "New" });
});

describe.each([
  ["categories", "category"],
  ["tags", "tag"],
  ["actors", "actor"],
])("%s", (kind, entity) => {
  it("finds a label whose name looks like an id at its address", async () => {
    const name = "12345678 1234 1234 1234 123456789012";
    const { json } = await admin.call("POST", `/api/${kind}`, { name });
    expect(json.slug).toBe(`${entity}-12345678-1234-1234-1234-123456789012`);
    expect((await admin.call("GET", `/api/${kind}/${json.slug}`)).json.id).toBe(json.id);
  });

  it("creates, changes and deletes labels and responds with 409 for an existing name", async () => {
    const created = await admin.call("POST", `/api/${kind}`, {
      name: " Slow Motion ",
      description: "",
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      name: "Slow Motion",
      slug: "slow-motion",
      description: null,
    });
    const twice = await admin.call("POST", `/api/${kind}`, { name: "slow MOTION" });
    expect(twice.status).toBe(409);
    expect(twice.json.code).toBe("conflict");
    const other = await admin.call("POST", `/api/${kind}`, { name: "Fast" });
    const clash = await admin.call("PUT", `/api/${kind}/${other.json.id}`, { name: "Slow motion" });
    expect(clash.status).toBe(409);
    const renamed = await admin.call("PUT", `/api/${kind}/${created.json.id}`, {
      name: "Calm",
      description: "Quiet ones",
    });
    expect(renamed.json).toMatchObject({ name: "Calm", slug: "calm", description: "Quiet ones" });
    const followed = await admin.call("GET", `/api/${kind}/slow-motion`);
    expect(followed.json.id).toBe(created.json.id);
    expect((await admin.call("DELETE", `/api/${kind}/${created.json.id}`)).status).toBe(204);
    expect((await admin.call("GET", `/api/${kind}/calm`)).status).toBe(404);
    expect((await admin.call("DELETE", `/api/${kind}/${created.json.id}`)).status).toBe(404);
  });

  it("stores names in other scripts and with markup as plain text", async () => {
    for (const [name, slug] of [
      ["日本の夏", "日本の夏"],
      ["<script>alert(1)</script>", "script-alert-1-script"],
      ["Ünïcode & co", "unicode-co"],
      ["'; drop table x;--", "drop-table-x"],
    ] as const) {
      const created = await admin.call("POST", `/api/${kind}`, { name });
      expect(created.status).toBe(201);
      expect(created.json).toMatchObject({ name, slug });
      const address = `/api/${kind}/${encodeURIComponent(slug)}`;
      expect((await admin.call("GET", address)).json.id).toBe(created.json.id);
    }
  });

  it.each([..."，、،,"])(
    "refuses a name with %s, which separates names in forms",
    async (comma) => {
      const { status, json } = await admin.call("POST", `/api/${kind}`, {
        name: `風景${comma}自然`,
      });
      const issues = [{ path: "name", message: "Names can't contain commas" }];
      expect({ status, json }).toMatchObject({ status: 400, json: { issues } });
    },
  );

  it("keeps names apart that share a slug, and joins those that differ only in accents", async () => {
    const names = ["C++", "C#", "C", "Часть 1", "Глава 1", "日本 2024", "東京 2024", "Café"];
    const video = await makeVideo(app.db);
    const path = `/api/videos/${video.id}`;
    const set = await admin.call("PUT", path, { [kind]: names });
    const stored = () =>
      set.json[kind].map((each: Record<string, { name: string; slug: string }>) => each[entity]);
    expect(stored().map(({ name }: { name: string }) => name)).toEqual(names);
    expect(new Set(stored().map(({ slug }: { slug: string }) => slug)).size).toBe(names.length);
    for (const name of ["c++", "CAFE", "Ｃ＃"]) {
      const twice = await admin.call("POST", `/api/${kind}`, { name });
      expect([name, twice.status]).toEqual([name, 409]);
    }
    const other = await makeVideo(app.db);
    const again = await admin.call("PUT", `/api/videos/${other.id}`, { [kind]: ["cafe", "C++"] });
    expect(again.json[kind]).toMatchObject([
      { [entity]: { name: "Café" } },
      { [entity]: { name: "C++" } },
    ]);
  });
});

describe("merging", () => {
  it("moves every video once and redirects the old address", async () => {
    const { db } = app;
    const from = await makeCategory(db, { name: "Sci Fi" });
    const into = await makeCategory(db, { name: "Science Fiction" });
    await makeVideo(db, {}, { categoryIds: [from.id] });
    await makeVideo(db, {}, { categoryIds: [from.id, into.id] });
    const merged = await admin.call("POST", `/api/categories/${from.id}/merge`, { into: into.id });
    expect(merged.status).toBe(200);
    expect(merged.json).toMatchObject({ id: into.id, videoCount: 2 });
    const followed = await createClient(app.url).call("GET", "/api/categories/sci-fi");
    expect(followed.json.id).toBe(into.id);
    const list = await createClient(app.url).call("GET", "/api/videos?category=sci-fi");
    expect(list.json.total).toBe(2);
    const named = await createClient(app.url).call("GET", "/api/videos?category=Sci%20Fi");
    expect(named.json.total).toBe(2);
    const same = await admin.call("POST", `/api/categories/${into.id}/merge`, { into: into.id });
    expect(same.status).toBe(400);
  });
});

it("merges the labels of videos in the trash", async () => {
  const [from, into] = [await makeTag(app.db), await makeTag(app.db)];
  const other = await makeTag(app.db);
  const video = await makeVideo(app.db, {}, { tagIds: [other.id, from.id] });
  const twice = await makeVideo(app.db, {}, { tagIds: [from.id, into.id] });
  for (const { id } of [video, twice]) await admin.call("DELETE", `/api/videos/${id}`);
  await admin.call("POST", `/api/tags/${from.id}/merge`, { into: into.id });
  const restore = async ({ id }: { id: string }) => {
    const { json } = await admin.call("POST", `/api/admin/trash/${id}/restore`);
    return json.tags.map(({ tag }: { tag: { id: string } }) => tag.id);
  };
  expect(await restore(video)).toEqual([other.id, into.id]);
  expect(await restore(twice)).toEqual([into.id]);
});

it("lists the videos of a label by its old name if a rename kept its slug", async () => {
  const label = await makeCategory(app.db, { name: "Film Noir" });
  await makeVideo(app.db, {}, { categoryIds: [label.id] });
  const renamed = await admin.call("PUT", `/api/categories/${label.id}`, { name: "Film-Noir" });
  expect(renamed.json.slug).toBe("film-noir");
  const countOf = async (name: string) => {
    const query = new URLSearchParams({ category: name });
    return (await createClient(app.url).call("GET", `/api/videos?${query}`)).json.total;
  };
  expect(await countOf("Film Noir")).toBe(1);
  expect(await countOf("Film Noir#")).toBe(0);
});

it("doesn't assign a renamed label by its old name, but redirects its old address", async () => {
  const { id } = await makeTag(app.db, { name: "Cats" });
  const videos = [await makeVideo(app.db, {}, { tagIds: [id] }), await makeVideo(app.db)];
  expect((await admin.call("PUT", `/api/tags/${id}`, { name: "Dogs" })).status).toBe(200);
  const visitor = createClient(app.url);
  expect((await visitor.call("GET", "/api/tags/cats")).json.id).toBe(id);
  expect((await visitor.call("GET", "/api/videos?tag=cats")).json.total).toBe(1);
  const changed = await admin.call("PUT", `/api/videos/${videos[1]?.id}`, { tags: ["Cats"] });
  expect(changed.json.tags).toMatchObject([{ tag: { name: "Cats", slug: "cats" } }]);
});

it.each([
  ["renamed", (id: string) => admin.call("PUT", `/api/tags/${id}`, { name: "Outer space" })],
  ["deleted", (id: string) => admin.call("DELETE", `/api/tags/${id}`)],
  [
    "merged",
    async (id: string) => {
      const { id: into } = await makeTag(app.db);
      return admin.call("POST", `/api/tags/${id}/merge`, { into });
    },
  ],
])("refuses a form with the old name of a label that is %s meanwhile", async (_, change) => {
  const tag = await makeTag(app.db);
  const video = await makeVideo(app.db, {}, { tagIds: [tag.id] });
  const other = await makeVideo(app.db);
  await change(tag.id);
  const save = ({ id, version }: { id: string; version: number }) =>
    admin.call("PUT", `/api/videos/${id}`, { title: "New", tags: [tag.name], version });
  expect((await save(video)).json.code).toBe("edit_conflict");
  expect((await save(other)).status).toBe(200);
});

it("keeps ads and campaigns that target a label when it is renamed or merged", async () => {
  const { db } = app;
  const [news, local] = [await makeCategory(db), await makeCategory(db)];
  const storms = await makeTag(db);
  const { json: advertiser } = await admin.call("POST", "/api/advertisers", { name: "Cosmo" });
  const { json: campaign } = await admin.call("POST", "/api/campaigns", {
    ...{ advertiserId: advertiser.id, name: "Autumn", isActive: true },
    ...{ targetCategories: [local.slug, news.slug], targetTags: [storms.slug] },
  });
  const targets = { target_categories: ["other", news.slug], campaign_id: campaign.id };
  const ad = await makeAd(db, targets);
  const readTargets = async () => {
    const { json } = await createClient(app.url).call("GET", `/api/ads/${ad.id}/targets`);
    return [json.categories, json.tags];
  };
  expect(await readTargets()).toEqual([["other", news.slug, local.slug], [storms.slug]]);
  await admin.call("PUT", `/api/categories/${news.id}`, { name: "World news" });
  await admin.call("PUT", `/api/tags/${storms.id}`, { name: "Heavy weather" });
  expect(await readTargets()).toEqual([["other", "world-news", local.slug], ["heavy-weather"]]);
  await admin.call("POST", `/api/categories/${news.id}/merge`, { into: local.id });
  expect(await readTargets()).toEqual([["other", local.slug], ["heavy-weather"]]);
  const { json: saved } = await admin.call("GET", `/api/campaigns/${campaign.id}`);
  expect(saved.campaign).toMatchObject({
    ...{ version: campaign.version + 3, targetCategories: [local.slug] },
  });
  expect((await admin.call("GET", `/api/ads/${ad.id}`)).json.version).toBe(ad.version + 2);
});

it("keeps a podcast going when its label is merged into a plain one", async () => {
  const talk = await makeTag(app.db, { is_podcast: true });
  const plain = await makeTag(app.db);
  await makeVideo(app.db, {}, { tagIds: [talk.id] });
  const { json } = await admin.call("POST", `/api/tags/${talk.id}/merge`, { into: plain.id });
  expect(json.isPodcast).toBe(true);
  const { text } = await createClient(app.url).call("GET", `/tags/${talk.slug}/feed.rss`);
  expect(text).toContain("xmlns:itunes");
});

it("creates a name once when two edits add it in different spellings at once", async () => {
  const [one, other] = [await makeVideo(app.db), await makeVideo(app.db)];
  const calls = await Promise.all([
    admin.call("PUT", `/api/videos/${one.id}`, { tags: ["Ночные огни"] }),
    admin.call("PUT", `/api/videos/${other.id}`, { tags: ["НОЧНЫЕ  огни"] }),
  ]);
  const [first, second] = calls.map(({ json }) => json.tags[0].tag.id);
  expect(first).toBe(second);
});

describe("pictures", () => {
  /** Builds a PNG chunk: length, name, data, checksum. */
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  // 16 x 16 grey pixels. Each line starts with its filter byte.
  const png = Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", Buffer.from("00000010000000100800000000", "hex")),
    chunk("IDAT", deflateSync(Buffer.alloc(16 * 17))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  const send = (id: string, body: Uint8Array<ArrayBuffer> | string) =>
    fetch(`${app.url}/api/actors/${id}/picture`, {
      method: "PUT",
      headers: { cookie: `session=${admin.jar.get("session")}` },
      body,
    });

  it("encodes pictures again, serves them to everyone, and rejects other files", async () => {
    const { json: actor } = await admin.call("POST", "/api/actors", { name: "Ada Example" });
    const response = await send(actor.id, new Uint8Array(png));
    expect(response.status).toBe(200);
    const { imageUrl } = (await response.json()) as { imageUrl: string };
    expect(imageUrl).toMatch(/^\/media\/public\/actors\//);
    const files = thumbnailFileNames(imageUrl);
    expect(files).toHaveLength(4);
    const read = () => Promise.all(files.map(async (url) => (await fetch(app.url + url)).status));
    expect(await read()).toEqual([200, 200, 200, 200]);
    expect((await send(actor.id, "<svg onload=alert(1)>")).status).toBe(415);
    const removed = await admin.call("DELETE", `/api/actors/${actor.id}/picture`);
    expect(removed.json.imageUrl).toBeNull();
    expect(await read()).toEqual([404, 404, 404, 404]);
  });

  it.each(["deleted", "merged"])("deletes the picture of a label that is %s", async (how) => {
    const { json: actor } = await admin.call("POST", "/api/actors", { name: `Gone ${how}` });
    const { json: other } = await admin.call("POST", "/api/actors", { name: `Stays ${how}` });
    const response = await send(actor.id, new Uint8Array(png));
    const { imageUrl } = (await response.json()) as { imageUrl: string };
    const removal =
      how === "deleted"
        ? await admin.call("DELETE", `/api/actors/${actor.id}`)
        : await admin.call("POST", `/api/actors/${actor.id}/merge`, { into: other.id });
    expect(removal.status).toBeLessThan(300);
    const statuses = await Promise.all(
      thumbnailFileNames(imageUrl).map(async (url) => (await fetch(app.url + url)).status),
    );
    expect(statuses).toEqual([404, 404, 404, 404]);
  });

  it("serves a replaced picture to cached pages", async () => {
    const { json: actor } = await admin.call("POST", "/api/actors", { name: "New face" });
    const urls: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const response = await send(actor.id, new Uint8Array(png));
      urls.push(((await response.json()) as { imageUrl: string }).imageUrl);
    }
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) expect((await fetch(app.url + url)).status).toBe(200);
  });
});

describe("covers of labels", () => {
  it("uses the most viewed public video as the cover of a label without an image", async () => {
    const { db } = app;
    const label = await makeCategory(db, { name: "Covered" });
    const tag = await makeTag(db, { name: "covered" });
    const labels = { categoryIds: [label.id], tagIds: [tag.id] };
    const key = (name: string) => ({ thumbnail_key: `media/${name}.webp` });
    await makeVideo(db, { ...key("few"), views: 1 }, labels);
    await makeVideo(db, { ...key("many"), views: 50 }, labels);
    await makeVideo(db, { ...key("sensitive"), views: 90, is_sensitive: true }, labels);
    await makeVideo(db, { ...key("blocked"), views: 91, blocked_countries: ["DE"] }, labels);
    await makeVideo(db, { ...key("draft"), views: 92, is_published: false }, labels);
    const coverOf = async (path: string) =>
      (await createClient(app.url).call("GET", path)).json.coverUrl;
    expect(await coverOf(`/api/categories/${label.id}`)).toMatch(/many\.webp$/);
    expect(await coverOf(`/api/tags/${tag.id}`)).toBeNull();
    const list = await createClient(app.url).call("GET", "/api/categories");
    expect(list.json).toContainEqual(
      expect.objectContaining({ name: "Covered", coverUrl: expect.stringMatching(/many\.webp$/) }),
    );
  });
});

describe("a label that only drafts have", () => {
  it("is hidden from visitors in lists, at its address, in RSS and in suggestions", async () => {
    const label = await makeCategory(app.db, { name: "Secret Plan" });
    const draft = await makeVideo(app.db, { is_published: false }, { categoryIds: [label.id] });
    const visitor = createClient(app.url);
    const paths = [label.id, "secret-plan", "Secret%20Plan"].map((key) => `/api/categories/${key}`);
    for (const path of [...paths, "/categories/secret-plan/feed.rss"]) {
      expect({ path, status: (await visitor.call("GET", path)).status }).toEqual({
        path,
        status: 404,
      });
    }
    for (const path of [
      "/api/categories",
      "/api/search/suggest?q=secret",
      "/sitemap.xml",
      "/feed.rss",
    ]) {
      const { status, text } = await visitor.call("GET", path);
      expect(status).toBe(200);
      expect(text).not.toContain("Secret Plan");
    }
    expect((await admin.call("GET", "/api/categories/secret-plan")).status).toBe(200);
    expect((await admin.call("GET", "/api/categories")).text).toContain("Secret Plan");

    await admin.call("PUT", `/api/videos/${draft.id}`, { isPublished: true });
    expect((await visitor.call("GET", "/api/categories/secret-plan")).json.videoCount).toBe(1);
    expect((await visitor.call("GET", "/api/categories")).text).toContain("Secret Plan");
  });
});

describe("counts", () => {
  it("counts published videos for visitors, and all videos for admins", async () => {
    const { db } = app;
    const category = await makeCategory(db, { name: "Counted" });
    const labels = { categoryIds: [category.id] };
    await makeVideo(db, {}, labels);
    await makeVideo(db, { is_published: false }, labels);
    await makeVideo(db, { status: "processing" }, labels);
    const visitor = await createClient(app.url).call("GET", "/api/categories/counted");
    expect(visitor.json.videoCount).toBe(1);
    expect((await admin.call("GET", "/api/categories/counted")).json.videoCount).toBe(3);
  });
});

describe("settings", () => {
  it("refuses addresses that a browser would follow to another site", async () => {
    for (const path of [
      "/\\evil.example/x",
      "//evil.example/x",
      "/\t/evil.example",
      "\\\\evil.example",
    ]) {
      for (const name of ["logoUrl", "faviconUrl"]) {
        const { status } = await admin.call("POST", "/api/settings", { [name]: path });
        expect({ name, path, status }).toEqual({ name, path, status: 400 });
      }
    }
    for (const siteUrl of ["https:\\evil.example", "https:evil.example", "javascript:alert(1)"]) {
      expect((await admin.call("POST", "/api/settings", { siteUrl })).status).toBe(400);
    }
  });

  it("trims and validates settings, stores empty ones as null, and publishes only some", async () => {
    const saved = await admin.call("POST", "/api/settings", {
      siteName: "  Lantern ",
      siteDescription: "",
      siteUrl: "https://video.example/",
      logoUrl: null,
      faviconUrl: "/icon.svg",
    });
    expect(saved.status).toBe(200);
    expect(saved.json).toMatchObject({ siteName: "Lantern", siteDescription: null });
    const visible = await createClient(app.url).call("GET", "/api/settings/public");
    expect(visible.json).toMatchObject({
      siteName: "Lantern",
      filterCategories: ["African", "Ebony", "Teen"],
      browseListings: true,
    });
    for (const siteUrl of ["javascript:alert(1)", "video.example", "ftp://x"]) {
      const refused = await admin.call("POST", "/api/settings", { siteUrl });
      expect({ siteUrl, status: refused.status }).toEqual({ siteUrl, status: 400 });
    }
    const log = await app.db
      .selectFrom("audit_log")
      .selectAll()
      .where("action", "=", "settings.updated")
      .execute();
    expect(log).toHaveLength(1);
    expect(log[0]?.after).toMatchObject({ siteName: "Lantern" });
  });
});
