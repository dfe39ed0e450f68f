import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { confirmSession, createClient, useTestApp, useClient } from "#test/app.ts";
import { makeTag } from "#test/factories/make-label.ts";
import { makeDraft, makeVideo } from "#test/factories/make-video.ts";
import { newId } from "#server/lib/ids.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";

let nowMs = Date.now();
const clock = { now: () => nowMs, date: () => new Date(nowMs) };

const app = useTestApp({ clock });
const admin = useClient(app);

async function runBulk(action: object, ids: string[]): Promise<void> {
  const { json } = await admin.call("POST", "/api/admin/bulk", { action, target: { ids } });
  await app.runJob("bulk.run", { bulkId: json.id });
}

const update = (id: string, change: object) => admin.call("PUT", `/api/videos/${id}`, change);

const schedule = (id: string, publishAt: string | null) =>
  admin.call("PUT", `/api/admin/videos/${id}/schedule`, { publishAt });

const publishDue = () => app.runJob("library.publish-scheduled");

const findRow = (id: string) =>
  app.db.selectFrom("videos").selectAll().where("id", "=", id).executeTakeFirst();

/** Returns a video's audit entries, oldest first. */
function listAudit(id: string) {
  return app.db
    .selectFrom("audit_log")
    .select(["action", "user_email", "before", "after"])
    .where("entity", "=", "video")
    .where("entity_id", "=", id)
    .orderBy("at")
    .orderBy("id")
    .execute();
}

const listActions = async (id: string) => (await listAudit(id)).map(({ action }) => action);

describe("publishing", () => {
  it("leaves the same row and audit entry whether by form, bulk action or schedule", async () => {
    const byForm = (await makeDraft(app.db)).id;
    const byBulk = (await makeDraft(app.db)).id;
    const bySchedule = (await makeDraft(app.db)).id;
    await schedule(bySchedule, new Date(nowMs).toISOString());

    await update(byForm, { isPublished: true });
    await runBulk({ kind: "publish" }, [byBulk]);
    await publishDue();

    const results = await Promise.all(
      [byForm, byBulk, bySchedule].map(async (id) => {
        const row = await findRow(id);
        const entry = (await listAudit(id)).at(-1);
        return {
          isPublished: row?.is_published,
          publishedAt: row?.published_at?.getTime(),
          publishAt: row?.publish_at,
          planner: row?.publish_planned_by,
          action: entry?.action,
          after: entry?.after,
          email: entry?.user_email,
        };
      }),
    );
    expect(results[0]).toMatchObject({
      isPublished: true,
      publishedAt: nowMs,
      publishAt: null,
      planner: null,
      action: "video.published",
      after: { isPublished: true, publishAt: null },
      email: expect.stringContaining("@example.test"),
    });
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it("keeps the time of the first publication", async () => {
    const first = new Date("2024-05-06T07:08:09Z");
    const { id } = await makeVideo(app.db, { published_at: first });
    await update(id, { isPublished: false });
    await runBulk({ kind: "publish" }, [id]);
    expect((await findRow(id))?.published_at).toEqual(first);
    expect(await listActions(id)).toEqual(["video.unpublished", "video.published"]);
  });

  it("takes the time when a published video is first listed", async () => {
    const first = new Date("2024-05-06T07:08:09Z");
    const dateOf = async (id: string) => (await findRow(id))?.published_at ?? null;
    const makeLists = {
      unlisted: (id: string) => update(id, { visibility: "public" }),
      unfinished: (id: string) =>
        app.db.updateTable("videos").set({ status: "ready" }).where("id", "=", id).execute(),
      republished: async (id: string) => {
        await update(id, { isPublished: false });
        await update(id, { visibility: "public" });
        await update(id, { isPublished: true });
      },
    };
    for (const [how, values] of [
      ["unlisted", { visibility: "unlisted" }],
      ["unfinished", { status: "processing" }],
      ["republished", { visibility: "unlisted" }],
    ] as const) {
      const { id, title } = await makeVideo(app.db, { published_at: first, ...values });
      await makeLists[how](id);
      const listed = await dateOf(id);
      expect(Math.abs(Number(listed) - Date.now())).toBeLessThan(60_000);
      const feed = await createClient(app.url).call("GET", "/feed.rss");
      expect(/<item><title>([^<]*)/.exec(feed.text)?.[1]).toBe(title);
      await update(id, { visibility: "unlisted" });
      await update(id, { visibility: "public" });
      expect(await dateOf(id)).toEqual(listed);
      await app.db.deleteFrom("videos").where("id", "=", id).execute();
    }
    // Listed from the start, or imported with its date.
    for (const values of [{}, { visibility: "unlisted", was_listed: true }] as const) {
      const { id } = await makeVideo(app.db, { published_at: first, ...values });
      await update(id, { visibility: "unlisted" });
      await update(id, { visibility: "public" });
      expect(await dateOf(id)).toEqual(first);
    }
  });

  it("records nothing for a video that is published already", async () => {
    const { id } = await makeVideo(app.db);
    await update(id, { isPublished: true });
    await runBulk({ kind: "publish" }, [id]);
    expect(await listAudit(id)).toEqual([]);
    expect((await findRow(id))?.version).toBe(1);
  });

  it("happens at the scheduled time, in the name of the admin who scheduled it", async () => {
    const { id } = await makeDraft(app.db);
    const publishAt = new Date(nowMs + 3_600_000).toISOString();
    const scheduled = await schedule(id, publishAt);
    expect(scheduled.json).toMatchObject({ isPublished: false, publishAt, version: 2 });
    expect((await admin.call("GET", "/api/admin/videos?state=scheduled")).json.total).toBe(1);
    await publishDue();
    expect((await findRow(id))?.is_published).toBe(false);

    nowMs += 3_600_000;
    await publishDue();
    const shown = await createClient(app.url).call("GET", `/api/videos/${id}`);
    expect(shown.json).toMatchObject({ isPublished: true, publishedAt: publishAt });
    const entries = await listAudit(id);
    expect(entries.map(({ action }) => action)).toEqual(["video.scheduled", "video.published"]);
    expect(entries[1]?.user_email).toBe(entries[0]?.user_email);
    expect((await schedule(id, publishAt)).status).toBe(409);
  });

  it("refuses a schedule beyond the year 9999", async () => {
    const { id } = await makeDraft(app.db);
    for (const publishAt of ["9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00"]) {
      const { status, json } = await schedule(id, publishAt);
      expect([status, json.issues?.[0]?.path]).toEqual([400, "publishAt"]);
    }
    expect((await schedule(id, "9999-12-31T23:59:59Z")).json.publishAt).toMatch(/^9999/);
    expect((await admin.call("GET", "/api/admin/videos")).status).toBe(200);
    await schedule(id, null);
  });

  it("does not happen after the schedule is cancelled", async () => {
    const { id } = await makeDraft(app.db);
    await schedule(id, new Date(nowMs - 1000).toISOString());
    await schedule(id, null);
    await publishDue();
    expect((await findRow(id))?.is_published).toBe(false);
    expect(await listActions(id)).toEqual(["video.scheduled", "video.unscheduled"]);
  });

  it("happens after the scheduled draft is saved, but not after it is unpublished in bulk", async () => {
    const saved = (await makeDraft(app.db)).id;
    const unpublished = (await makeDraft(app.db)).id;
    for (const id of [saved, unpublished]) {
      await schedule(id, new Date(nowMs - 1000).toISOString());
    }
    await update(saved, { isPublished: false });
    await runBulk({ kind: "unpublish" }, [unpublished]);
    await publishDue();
    expect((await findRow(saved))?.is_published).toBe(true);
    expect((await findRow(unpublished))?.is_published).toBe(false);
    expect(await listActions(unpublished)).toEqual(["video.scheduled", "video.unscheduled"]);
  });
});

describe("editing", () => {
  it("records changed fields and publication separately", async () => {
    const { id } = await makeDraft(app.db, { title: "Old", description: "Same" });
    const change = { title: "New", description: "Same", tags: ["Night"], isPublished: true };
    const { json } = await update(id, change);
    expect(json).toMatchObject({ title: "New", isPublished: true });
    const entries = await listAudit(id);
    expect(entries).toMatchObject([
      { action: "video.updated", before: { title: "Old" } },
      { action: "video.published", before: { title: "New", isPublished: false } },
    ]);
    expect(entries[0]?.after).toEqual({ title: "New", tags: ["Night"] });
  });

  it("refuses names with commas, which separate names in the edit form", async () => {
    const { id } = await makeVideo(app.db);
    const issues = [{ path: "tags.1", message: "Names can't contain commas" }];
    const refused = await update(id, { tags: ["a", "b,c"] });
    expect(refused).toMatchObject({ status: 400, json: { issues } });
  });

  it("moves a video to another address and redirects the old address until a new video takes it", async () => {
    const { id, slug } = await makeVideo(app.db, { title: "Moved" });
    const visitor = createClient(app.url);
    expect((await update(id, { slug: "somewhere-else" })).json.slug).toBe("somewhere-else");
    expect((await visitor.call("GET", `/api/videos/${slug}`)).json).toMatchObject({ id });
    expect((await admin.call("GET", `/api/videos/${slug}`)).json).toMatchObject({ id });
    expect((await update(id, { slug: "Some where" })).status).toBe(400);
    for (const idLike of [id, "12345678-1234-1234-1234-123456789012"]) {
      expect((await update(id, { slug: idLike })).status).toBe(400);
    }
    const other = await makeVideo(app.db, { slug });
    expect((await admin.call("GET", `/api/videos/${slug}`)).json.id).toBe(other.id);
    expect(await update(id, { slug })).toMatchObject({ status: 409 });
    // Moves the video back after the other one is deleted. No circular redirects remain.
    await update(other.id, { slug: "third" });
    expect((await update(id, { slug })).status).toBe(200);
    expect((await visitor.call("GET", "/api/videos/somewhere-else")).json.id).toBe(id);
    expect((await visitor.call("GET", "/api/videos/third")).json.id).toBe(other.id);
  });

  it("reprocesses only videos that are ready", async () => {
    const { id } = await makeVideo(app.db, { progress: 1, hls_key: "v/x/y/master.m3u8" });
    const again = () => admin.call("POST", `/api/videos/${id}/reprocess`);
    const refused = await again();
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain("The original file of this video no longer exists");
    await app.context.storage.putBytes(sourceKey(id), "original");
    const hlsUrl = "/media/v/x/y/master.m3u8";
    expect((await again()).json).toMatchObject({ status: "ready", hlsUrl, progress: 1 });
    expect((await again()).status).toBe(409);
    expect(await listActions(id)).toEqual(["video.reprocessed"]);
    const failed = await makeDraft(app.db, {
      status: "failed",
      failure_reason: "No picture",
      progress: null,
    });
    expect((await admin.call("POST", `/api/videos/${failed.id}/reprocess`)).status).toBe(409);
  });

  it("keeps a draft's original out of caches, also for a token that may only edit", async () => {
    const { id } = await makeDraft(app.db);
    await app.context.storage.putBytes(sourceKey(id), "original");
    await confirmSession(admin);
    const { token } = (
      await admin.call("POST", "/api/account/tokens", {
        name: "originals",
        scopes: ["content.edit"],
        days: 7,
      })
    ).json;
    const path = `/api/admin/videos/${id}/original`;
    const authorization = `Bearer ${token}`;
    for (const response of [
      await admin.call("GET", path),
      await createClient(app.url).call("GET", path, undefined, { authorization }),
    ]) {
      expect([response.status, response.text]).toEqual([200, "original"]);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    }
  });

  it("refuses a change based on an older version", async () => {
    const { id } = await makeDraft(app.db);
    expect((await update(id, { isPublished: true, version: 1 })).status).toBe(200);
    expect(await update(id, { title: "Late", version: 1 })).toMatchObject({
      status: 409,
      json: { code: "edit_conflict" },
    });
  });
});

describe("a thumbnail that an editor chooses", () => {
  const picture = readFileSync(new URL("../../../web/public/icon-192.png", import.meta.url));
  const send = async (id: string, body: Buffer) => {
    const response = await fetch(`${app.url}/api/admin/videos/${id}/thumbnail`, {
      method: "PUT",
      headers: { cookie: `session=${admin.jar.get("session")}` },
      body: new Uint8Array(body),
    });
    return (await response.json()) as { thumbnail: string; posterUrl: string };
  };

  it("is also the poster, as a JPEG for link previews, until the next one", async () => {
    const { id } = await makeVideo(app.db);
    const { thumbnail, posterUrl } = await send(id, picture);
    expect(posterUrl).toBe(thumbnail.replace(/[^/]+$/, "poster.jpg"));
    const poster = await fetch(app.url + posterUrl);
    expect([poster.status, poster.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const next = await send(id, picture);
    expect(next.posterUrl).not.toBe(posterUrl);
    const retired = await app.db.selectFrom("retired_files").select("key").execute();
    expect(retired.map(({ key }) => `/media/${key}`)).toEqual(
      expect.arrayContaining([thumbnail, posterUrl]),
    );
  });
});

describe("removal", () => {
  const remove = {
    form: (id: string) => admin.call("DELETE", `/api/videos/${id}`),
    "bulk action": (id: string) => runBulk({ kind: "delete" }, [id]),
  };

  const keepFor = (days: number) =>
    app.db.updateTable("settings").set({ trash_days: days }).execute();

  it.each(["form", "bulk action"] as const)("leaves no row and no file after %s", async (by) => {
    const { storage } = app.context;
    await keepFor(0);
    const { id, title, media_token: token } = await makeVideo(app.db);
    const keys = [`${videoFolder(token)}a/play.mp4`, sourceKey(id)];
    for (const key of keys) await storage.putBytes(key, "bytes");

    await remove[by](id);

    expect((await admin.call("GET", `/api/videos/${id}`)).status).toBe(404);
    expect(await findRow(id)).toBeUndefined();
    for (const key of keys) expect(await storage.findStat(key)).toBeNull();
    expect(await listAudit(id)).toMatchObject([{ action: "video.deleted", before: { id, title } }]);
    expect((await admin.call("GET", "/api/admin/trash")).json.total).toBe(0);
    await keepFor(30);
  });

  it("retains rows and files in the trash, and restores them", async () => {
    const { db } = app;
    const { storage } = app.context;
    const { id: tagId } = await makeTag(db, { name: "kept" });
    const made = await makeVideo(db, { likes: 1, views: 9 }, { tagIds: [tagId] });
    const { id, slug, media_token: token } = made;
    const key = `${videoFolder(token)}a/play.mp4`;
    await storage.putBytes(key, "bytes");
    await db.insertInto("likes").values({ video_id: id, visitor_id: newId() }).execute();
    const before = (await admin.call("GET", `/api/videos/${id}`)).json;

    await remove.form(id);
    for (const client of [admin, createClient(app.url)]) {
      expect((await client.call("GET", `/api/videos/${slug}`)).status).toBe(404);
      expect((await client.call("GET", `/media/${key}`)).status).toBe(404);
    }
    const { json: trash } = await admin.call("GET", "/api/admin/trash");
    const thumbnail = `/api/admin/trash/${id}/thumbnail`;
    expect(trash).toMatchObject({
      total: 1,
      hasClips: false,
      keptDays: 30,
      videos: [{ id, title: made.title, thumbnail, duration: made.duration_s }],
    });
    await storage.putBytes(made.thumbnail_key ?? "", "picture");
    expect((await admin.call("GET", thumbnail)).text).toBe("picture");
    expect(await storage.findStat(key)).not.toBeNull();

    // Another video has taken the slug in the meantime.
    await makeVideo(db, { slug });
    const restored = await admin.call("POST", `/api/admin/trash/${id}/restore`);
    expect(restored.json).toEqual({ ...before, slug: `${slug}-2` });
    const likes = db.selectFrom("likes").select("video_id").where("video_id", "=", id);
    expect(await likes.execute()).toHaveLength(1);
    expect((await createClient(app.url).call("GET", `/api/videos/${id}`)).status).toBe(200);
    expect(await listActions(id)).toEqual(["video.deleted", "video.restored"]);
    expect((await admin.call("POST", `/api/admin/trash/${id}/restore`)).status).toBe(404);
  });

  it("doesn't restore a video whose file is blocked until the file is allowed again", async () => {
    const sha256 = Buffer.alloc(32, 7);
    const { id } = await makeVideo(app.db, { source_sha256: sha256 });
    await remove.form(id);
    const blocked = { sha256, size_bytes: 1, video_title: "Copy", blocked_by: "a@example.test" };
    await app.db.insertInto("blocked_files").values(blocked).execute();
    const restore = () => admin.call("POST", `/api/admin/trash/${id}/restore`);
    expect(await restore()).toMatchObject({
      status: 409,
      json: { message: "A moderator blocked the file of this video, so it can't be restored." },
    });
    await admin.call("DELETE", `/api/admin/blocked-files/${sha256.toString("hex")}`);
    expect((await restore()).status).toBe(200);
  });

  it("is final on request and after the video's time in the trash", async () => {
    const { storage } = app.context;
    const [first, second] = [await makeVideo(app.db), await makeVideo(app.db)];
    const keyOf = (video: { media_token: string }) => `${videoFolder(video.media_token)}a/x.mp4`;
    for (const video of [first, second]) {
      await storage.putBytes(keyOf(video), "bytes");
      await remove.form(video.id);
    }
    expect((await admin.call("DELETE", `/api/admin/trash/${first.id}`)).status).toBe(204);
    expect(await storage.findStat(keyOf(first))).toBeNull();
    await app.runJob("library.empty-trash");
    expect(await storage.findStat(keyOf(second))).not.toBeNull();
    await app.db
      .updateTable("removed_videos")
      .set({ removed_at: new Date(nowMs - 31 * 24 * 3_600_000) })
      .execute();
    await app.runJob("library.empty-trash");
    expect(await storage.findStat(keyOf(second))).toBeNull();
    expect((await admin.call("GET", "/api/admin/trash")).json.total).toBe(0);
  });

  it("refuses to remove an unknown video", async () => {
    const { id } = await makeVideo(app.db);
    expect((await remove.form(id)).status).toBe(204);
    expect((await remove.form(id)).status).toBe(404);
  });
});
