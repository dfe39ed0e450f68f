import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeTag } from "#test/factories/make-label.ts";
import { changeVideo, makeVideo, readVideo } from "#test/factories/make-video.ts";
import { videoFolder } from "#server/storage/media-keys.ts";
import { removeVideos } from "./trash/remove-videos.ts";

let app: TestApp;
let admin: ReturnType<typeof createClient>;
let visitor: ReturnType<typeof createClient>;
beforeAll(async () => {
  app = await startTestApp({ env: { GEO_HEADER: "cf-ipcountry" } });
  admin = createClient(app.url, await app.signIn());
  visitor = createClient(app.url);
});
afterAll(() => app.stop());

let number = 0;

/** Creates a long video and a published clip of it, with a file. */
async function addClip(values: Parameters<typeof makeVideo>[1] = {}) {
  number += 1;
  const tag = await makeTag(app.db);
  const long = await makeVideo(app.db, { title: `Long harvest ${number}`, ...values });
  const clip = await makeVideo(
    app.db,
    { title: `Marigold ${number}`, clip_of: long.id, clip_start_s: 12, clip_end_s: 30 },
    { tagIds: [tag.id] },
  );
  const key = `${videoFolder(clip.media_token)}step/play.mp4`;
  await app.context.storage.putBytes(key, "bytes");
  await changeVideo(app.db, clip.id, { progressive_key: key });
  // Drops the lists that were cached before.
  await admin.call("PUT", `/api/videos/${clip.id}`, { description: "Harvest" });
  return { long, clip, key, tag, title: `Marigold ${number}` };
}

type Added = Awaited<ReturnType<typeof addClip>>;

/** Places that show a listed video. */
const listsOf = ({ tag }: Added) => [
  "/api/videos?limit=100",
  "/api/videos?search=marigold&limit=100",
  `/api/videos?tag=${tag.slug}`,
  "/api/feed?limit=100",
  "/feed.rss",
  "/sitemap.xml",
];

async function findShown(added: Added): Promise<string[]> {
  const found = await Promise.all(
    listsOf(added).map(async (path) => {
      const text = await (await fetch(app.url + path)).text();
      return text.includes(added.title) || text.includes(`/video/${added.clip.slug}<`)
        ? [path]
        : [];
    }),
  );
  return found.flat();
}

const mediaStatus = async ({ key }: Added) => (await fetch(`${app.url}/media/${key}`)).status;
const pageStatus = async ({ clip }: Added) =>
  (await fetch(`${app.url}/api/videos/${clip.slug}`, { headers: { "cf-ipcountry": "ES" } })).status;

test("shows a clip with the passage it comes from, in every list", async () => {
  const added = await addClip();
  expect(await findShown(added)).toEqual(listsOf(added));
  const { json } = await visitor.call("GET", `/api/videos/${added.clip.slug}`);
  expect(json.clipOf).toEqual({
    id: added.long.id,
    slug: added.long.slug,
    title: added.long.title,
    startS: 12,
    endS: 30,
  });
  expect((await visitor.call("GET", `/api/videos/${added.long.slug}`)).json.clipOf).toBeUndefined();
});

test("applies the long video's publication and visibility to its clips at once", async () => {
  const added = await addClip();
  const { long, clip } = added;
  const put = async (body: object) => {
    expect((await admin.call("PUT", `/api/videos/${long.id}`, body)).status).toBe(200);
  };
  // All of these are in the response cache from now on.
  expect(await findShown(added)).toEqual(listsOf(added));
  expect([await pageStatus(added), await mediaStatus(added)]).toEqual([200, 200]);

  await put({ visibility: "unlisted" });
  await expect.poll(() => findShown(added)).toEqual([]);
  expect([await pageStatus(added), await mediaStatus(added)]).toEqual([200, 200]);
  const { json } = await visitor.call("GET", `/api/videos/${clip.slug}`);
  expect(json.visibility).toBe("unlisted");
  // Admins see what they have chosen for the clip itself.
  expect((await admin.call("GET", `/api/videos/${clip.id}`)).json.visibility).toBe("public");

  await put({ visibility: "private" });
  await expect.poll(() => pageStatus(added)).toBe(404);
  await expect.poll(() => mediaStatus(added)).toBe(404);

  await put({ visibility: "public", isPublished: false });
  expect([await pageStatus(added), await mediaStatus(added)]).toEqual([404, 404]);
  await put({ isPublished: true });
  await expect.poll(() => findShown(added)).toEqual(listsOf(added));
  await expect.poll(() => mediaStatus(added)).toBe(200);
});

test("keeps a clip's own stricter visibility", async () => {
  const added = await addClip({ visibility: "unlisted" });
  await admin.call("PUT", `/api/videos/${added.clip.id}`, { visibility: "private" });
  expect(await pageStatus(added)).toBe(404);
  await admin.call("PUT", `/api/videos/${added.long.id}`, { visibility: "public" });
  expect(await pageStatus(added)).toBe(404);
});

test("hides the private link of a clip while the long video isn't published", async () => {
  const added = await addClip();
  await admin.call("PUT", `/api/videos/${added.clip.id}`, { visibility: "private" });
  const link = await admin.call("PUT", `/api/admin/videos/${added.clip.id}/link`, {
    expiresAt: null,
  });
  const statusOf = async () => (await fetch(`${app.url}/api${link.json.path}`)).status;
  expect(await statusOf()).toBe(200);
  // People with the link don't learn of a private long video.
  await admin.call("PUT", `/api/videos/${added.long.id}`, { visibility: "private" });
  const shown = await visitor.call("GET", `/api${link.json.path}`);
  expect([shown.status, shown.json.clipOf]).toEqual([200, undefined]);
  await admin.call("PUT", `/api/videos/${added.long.id}`, { isPublished: false });
  expect(await statusOf()).toBe(404);
});

test("applies the long video's age mark and blocked countries to its clips", async () => {
  const added = await addClip();
  const { long, clip } = added;
  await admin.call("PUT", `/api/videos/${clip.id}`, { blockedCountries: ["FR"] });
  const statusFrom = async (country: string, path: string) =>
    (await fetch(app.url + path, { headers: { "cf-ipcountry": country } })).status;
  const places = [`/api/videos/${clip.slug}`, `/media/${added.key}`];
  for (const place of places) expect([place, await statusFrom("DE", place)]).toEqual([place, 200]);

  const rules = { isSensitive: true, blockedCountries: ["DE"] };
  await admin.call("PUT", `/api/videos/${long.id}`, rules);
  for (const place of places) {
    await expect.poll(() => statusFrom("DE", place)).toBe(451);
    expect([place, await statusFrom("FR", place)]).toEqual([place, 451]);
    expect([place, await statusFrom("ES", place)]).toEqual([place, 200]);
  }
  const asVisitor = await (
    await fetch(`${app.url}/api/videos/${clip.slug}`, { headers: { "cf-ipcountry": "ES" } })
  ).json();
  expect(asVisitor.isSensitive).toBe(true);
  const asAdmin = (await admin.call("GET", `/api/videos/${clip.id}`)).json;
  expect([asAdmin.isSensitive, asAdmin.blockedCountries]).toEqual([undefined, ["FR"]]);

  await admin.call("PUT", `/api/videos/${long.id}`, { isSensitive: false, blockedCountries: [] });
  await expect.poll(() => statusFrom("DE", places[0] ?? "")).toBe(200);
  expect(await statusFrom("FR", places[0] ?? "")).toBe(451);
});

test("plays a free clip of a members' video", async () => {
  const added = await addClip();
  await admin.call("PUT", `/api/videos/${added.long.id}`, { isPremium: true });
  await admin.call("POST", "/api/settings", { premiumAccess: "members" });
  const long = await visitor.call("GET", `/api/videos/${added.long.slug}`);
  expect(long.json.isLocked).toBe(true);
  const { json } = await visitor.call("GET", `/api/videos/${added.clip.slug}`);
  expect([json.isLocked, json.videoUrl]).toEqual([undefined, `/media/${added.key}`]);
  expect(json.clipOf.slug).toBe(added.long.slug);
  await admin.call("POST", "/api/settings", { premiumAccess: "badge" });
});

test("hides clips while the long video is in the trash, and shows them again", async () => {
  const added = await addClip();
  await admin.call("DELETE", `/api/videos/${added.long.id}`);
  await expect.poll(() => findShown(added)).toEqual([]);
  await expect.poll(() => mediaStatus(added)).toBe(404);
  const asAdmin = (await admin.call("GET", `/api/videos/${added.clip.id}`)).json;
  expect(asAdmin.clipOf).toMatchObject({ title: added.long.title, isTrashed: true });

  // A clip that returns before its long video stays hidden.
  await admin.call("DELETE", `/api/videos/${added.clip.id}`);
  await admin.call("POST", `/api/admin/trash/${added.clip.id}/restore`);
  expect(await pageStatus(added)).toBe(404);
  await admin.call("POST", `/api/admin/trash/${added.long.id}/restore`);
  await expect.poll(() => findShown(added)).toEqual(listsOf(added));
  await expect.poll(() => mediaStatus(added)).toBe(200);
});

test("keeps clips as videos of their own, with what the long video restricted", async () => {
  const added = await addClip({
    is_sensitive: true,
    blocked_countries: ["DE"],
    visibility: "unlisted",
  });
  await admin.call("DELETE", `/api/videos/${added.long.id}`);
  const erased = await admin.call("DELETE", `/api/admin/trash/${added.long.id}?clips=keep`);
  expect(erased.status).toBe(204);
  await expect.poll(() => pageStatus(added)).toBe(200);
  const kept = (await admin.call("GET", `/api/videos/${added.clip.id}`)).json;
  expect(kept).toMatchObject({
    ...{ isPublished: true, visibility: "unlisted", isSensitive: true, blockedCountries: ["DE"] },
  });
  expect(kept.clipOf).toBeUndefined();
});

test("removes clips for good with the long video, also those in the trash", async () => {
  const added = await addClip();
  const other = await makeVideo(app.db, { clip_of: added.long.id });
  await admin.call("DELETE", `/api/videos/${other.id}`);
  await admin.call("DELETE", `/api/videos/${added.long.id}?clips=remove`);
  // The choice of the removal applies unless the deletion makes another.
  await admin.call("DELETE", `/api/admin/trash/${added.long.id}`);
  expect((await admin.call("GET", `/api/videos/${added.clip.id}`)).status).toBe(404);
  const { json } = await admin.call("GET", "/api/admin/trash?limit=100");
  const ids = json.videos.map(({ id }: { id: string }) => id);
  expect(ids).not.toContain(other.id);
  await expect.poll(() => app.context.storage.findStat(added.key)).toBeNull();
});

test("deletes a clip once if it is chosen together with its long video", async () => {
  const { long, clip } = await addClip();
  const ids = [long.id, clip.id];
  const actor = { user: { id: null, email: "test@example.com" }, requestId: "test" };
  await app.db.updateTable("settings").set({ trash_days: 0 }).execute();
  const removed = await app.db
    .transaction()
    .execute((trx) => removeVideos(trx, ids, actor, { clips: "remove" }));
  await app.db.updateTable("settings").set({ trash_days: 30 }).execute();
  expect(removed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const entries = app.db.selectFrom("audit_log").select("id").where("entity_id", "=", clip.id);
  expect(await entries.where("action", "=", "video.deleted").execute()).toHaveLength(1);
});

test("turns clips into drafts if nobody has chosen what becomes of them", async () => {
  const added = await addClip();
  await admin.call("DELETE", `/api/videos/${added.long.id}`);
  await admin.call("DELETE", `/api/admin/trash/${added.long.id}`);
  const row = await readVideo(app.db, added.clip.id);
  expect([row.clip_of, row.is_published, row.is_listed]).toEqual([null, false, false]);
});

test("cancels the planned publication of clips that become drafts", async () => {
  const { long } = await addClip();
  const planned = { is_published: false, publish_at: new Date(Date.now() + 3_600_000) };
  const clip = await makeVideo(app.db, { clip_of: long.id, ...planned });
  await admin.call("DELETE", `/api/videos/${long.id}`);
  await admin.call("DELETE", `/api/admin/trash/${long.id}`);
  expect(await readVideo(app.db, clip.id)).toMatchObject({ clip_of: null, publish_at: null });
});

test("restores a clip of a deleted video as a draft, with what the video restricted", async () => {
  const added = await addClip({
    ...{ is_sensitive: true, blocked_countries: ["DE"], visibility: "unlisted" },
  });
  await admin.call("DELETE", `/api/videos/${added.clip.id}`);
  await admin.call("DELETE", `/api/videos/${added.long.id}`);
  await admin.call("DELETE", `/api/admin/trash/${added.long.id}?clips=keep`);
  const restored = await admin.call("POST", `/api/admin/trash/${added.clip.id}/restore`);
  expect(restored.status).toBe(200);
  expect(await readVideo(app.db, added.clip.id)).toMatchObject({
    ...{ clip_of: null, is_published: false, visibility: "unlisted" },
    ...{ is_sensitive: true, blocked_countries: ["DE"] },
    ...{ held_visibility: "public", held_sensitive: false, held_countries: [] },
  });
});

test("restores a clip with what its long video restricted last", async () => {
  const strict = { visibility: "private", isSensitive: true, blockedCountries: ["DE"] };
  const trash = (id: string) => admin.call("DELETE", `/api/videos/${id}`);
  const restrict = (id: string) => admin.call("PUT", `/api/videos/${id}`, strict);
  const planned = { is_published: false, publish_at: new Date(Date.now() + 3_600_000) };
  for (const isClipFirst of [true, false]) {
    const added = await addClip();
    await changeVideo(app.db, added.clip.id, planned);
    if (isClipFirst) await trash(added.clip.id);
    await restrict(added.long.id);
    await trash(added.long.id);
    if (!isClipFirst) await trash(added.clip.id);
    await admin.call("DELETE", `/api/admin/trash/${added.long.id}?clips=keep`);
    const restored = await admin.call("POST", `/api/admin/trash/${added.clip.id}/restore`);
    expect(restored.status).toBe(200);
    expect(await readVideo(app.db, added.clip.id)).toMatchObject({
      ...{ clip_of: null, is_published: false, publish_at: null, publish_planned_by: null },
      ...{ visibility: "private", is_sensitive: true, blocked_countries: ["DE"] },
      ...{ held_visibility: "public", held_sensitive: false, held_countries: [] },
    });
  }
});

test("keeps a restored clip private if its entry doesn't say what was restricted", async () => {
  const added = await addClip();
  await admin.call("DELETE", `/api/videos/${added.long.id}`);
  await admin.call("DELETE", `/api/videos/${added.clip.id}`);
  // Older versions deleted long videos without a change of the entries of their clips.
  await app.db.deleteFrom("removed_videos").where("id", "=", added.long.id).execute();
  await admin.call("POST", `/api/admin/trash/${added.clip.id}/restore`);
  expect((await readVideo(app.db, added.clip.id)).visibility).toBe("private");
});

test("empties the trash with a choice for clips", async () => {
  const added = await addClip();
  await admin.call("DELETE", `/api/videos/${added.long.id}`);
  expect((await admin.call("GET", "/api/admin/trash")).json.hasClips).toBe(true);
  expect((await admin.call("DELETE", "/api/admin/trash?clips=gone")).status).toBe(400);
  const { status, json } = await admin.call("DELETE", "/api/admin/trash?clips=keep");
  expect([status, json.erased >= 1]).toEqual([200, true]);
  const { json: emptied } = await admin.call("GET", "/api/admin/trash");
  expect(emptied).toMatchObject({ total: 0, hasClips: false });
  expect(await pageStatus(added)).toBe(200);
});

test("deletes clips with a long video that a moderator removes", async () => {
  const added = await addClip();
  await visitor.call("POST", `/api/videos/${added.long.id}/reports`, {
    reason: "illegal",
    text: "x",
  });
  const { json } = await admin.call("GET", "/api/admin/reports?limit=100");
  const report = json.reports.find(
    (each: { video: { id: string } }) => each.video.id === added.long.id,
  );
  const path = `/api/admin/reports/${report.id}/action`;
  expect((await admin.call("POST", path, { action: "remove" })).status).toBeLessThan(300);
  expect((await admin.call("GET", `/api/videos/${added.clip.id}`)).status).toBe(404);
});
