import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeActor } from "#test/factories/make-label.ts";
import { makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { createDbOn, queryablePool } from "#server/db/connection.ts";
import { retireFiles } from "#server/db/retired-files.ts";
import { newId, newToken } from "#server/lib/ids.ts";
import {
  createAdPictureKey,
  createOwnPagePictureKey,
  createLabelPictureFolder,
  createSitePictureKey,
  createThumbnailFolder,
  publishedPrefix,
  sourceKey,
  sourcePrefix,
  videoFolder,
} from "#server/storage/media-keys.ts";
import { listUnreferenced } from "./stored-files.repository.ts";
import { createStoredFiles } from "./stored-files.service.ts";

const app = useTestApp({ logLevel: "silent" });

const sweep = async () => {
  await app.runJob("maintenance.sweep");
  await app.runJob("maintenance.orphans");
};
const has = async (key: string) => (await app.context.storage.findStat(key)) !== null;
const store = (key: string) => app.context.storage.putBytes(key, "content");

/** Makes every stored object older than uploads that may still get into the database. */
async function age(): Promise<void> {
  const objects = join(app.dataDir, "storage/objects");
  const twoDaysAgo = Date.now() / 1000 - 48 * 3600;
  for (const entry of await readdir(objects, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), twoDaysAgo, twoDaysAgo);
  }
}

describe("files without a row", () => {
  it("deletes old orphaned files but none in use", async () => {
    const { db } = app;
    const { id, media_token: token } = await makeVideo(db);
    const actor = await makeActor(db);
    const logo = createSitePictureKey("logo", "logo.png");
    const uploadId = newId();
    await db
      .insertInto("staged_uploads")
      .values({ id: uploadId, account: "a", size_bytes: 1, metadata: {}, s3_upload_id: "u" })
      .execute();
    const used = {
      artwork: `${logo}-podcast.jpg`,
      poster: `${videoFolder(token)}used/poster.jpg`,
      captions: `${videoFolder(token)}captions-used/captions.vtt`,
      source: sourceKey(id),
      picture: `${createLabelPictureFolder("actors", actor.id)}w640.webp`,
      logo,
      banner: createAdPictureKey(".png"),
      page: createOwnPagePictureKey(".png"),
      published: `${publishedPrefix}${videoFolder(token)}used/poster.jpg`,
      upload: sourceKey(uploadId),
      // Files of unknown kinds may belong to another program.
      unknown: "public/other/a.png",
      unnamed: "public/actors/short/a.webp",
    };
    const orphans = [
      `${videoFolder(token)}former/poster.jpg`,
      `${videoFolder(token)}captions-former/captions.vtt`,
      `${videoFolder("unknown-token")}used/poster.jpg`,
      sourceKey("019a0000-0000-7000-8000-000000000000"),
      `${createLabelPictureFolder("actors", actor.id)}w640.webp`,
      `${createLabelPictureFolder("actors", "019a0000-0000-7000-8000-000000000000")}w640.webp`,
      createSitePictureKey("logo", "logo.png"),
      `${createSitePictureKey("logo", "logo.png")}-podcast.jpg`,
      createAdPictureKey(".png"),
      createOwnPagePictureKey(".png"),
      `${publishedPrefix}${videoFolder(token)}former/poster.jpg`,
      `${sourcePrefix}not-an-id`,
    ];
    const markdown = `![](/media/${used.page})`;
    await db
      .insertInto("own_pages")
      .values({
        ...{ id: newId(), address: "about", place: "none", position: 1 },
        ...{ is_published: false, is_indexed: true },
        texts: JSON.stringify({ en: { title: "About", markdown } }),
      })
      .execute();
    const ad = { title: "Ad", type: "banner", placement: "header" } as const;
    await db
      .insertInto("ads")
      .values({ ...ad, id: newId(), image_url: `/media/${used.banner}` })
      .execute();
    await changeVideo(db, id, {
      poster_key: used.poster,
      source_key: used.source,
      captions: JSON.stringify([{ id: "a", key: used.captions }]),
    });
    await db
      .updateTable("actors")
      .set({ image_key: used.picture })
      .where("id", "=", actor.id)
      .execute();
    await db
      .updateTable("settings")
      .set({ logo_url: `/media/${used.logo}` })
      .execute();
    for (const key of [...Object.values(used), ...orphans]) await store(key);
    await sweep();
    expect(await Promise.all(orphans.map(has))).toEqual(orphans.map(() => true));
    await age();
    await sweep();
    expect(await Promise.all(orphans.map(has))).toEqual(orphans.map(() => false));
    expect(await Promise.all(Object.values(used).map(has))).toEqual(
      Object.values(used).map(() => true),
    );
  });

  it("looks up many files with few statements", async () => {
    const { id, media_token: token } = await makeVideo(app.db);
    const key = `${videoFolder(token)}used/`;
    await changeVideo(app.db, id, { poster_key: `${key}0.jpg` });
    for (let n = 0; n < 100; n += 1) await store(`${key}${n}.jpg`);
    await age();
    let statements = 0;
    const db = createDbOn(queryablePool(app.database.pool), () => (statements += 1));
    await createStoredFiles({ ...app.context, db }).deleteOrphans(new AbortController().signal);
    expect(statements).toBeLessThan(10);
    expect(await has(`${key}99.jpg`)).toBe(true);
  });

  it("retains files of a video in the trash", async () => {
    const { db } = app;
    const { id, media_token: token } = await makeVideo(db);
    const keys = [`${videoFolder(token)}used/poster.jpg`, sourceKey(id)];
    for (const key of keys) await store(key);
    await db
      .insertInto("removed_videos")
      .values({
        id,
        title: "Removed",
        media_token: token,
        source_key: null,
        size_bytes: 1,
        kept_rows: JSON.stringify({}),
        removed_by: "admin@example.com",
      })
      .execute();
    await db.deleteFrom("videos").where("id", "=", id).execute();
    await age();
    await sweep();
    expect(await Promise.all(keys.map(has))).toEqual([true, true]);
    await db.deleteFrom("removed_videos").where("id", "=", id).execute();
    await sweep();
    expect(await Promise.all(keys.map(has))).toEqual([false, false]);
  });
});

describe("a replaced thumbnail", () => {
  it("stays as long as cached pages may show it and is then deleted", async () => {
    const { db } = app;
    const { id, media_token: token } = await makeVideo(db);
    const [old, next] = [1, 2].map(() => `${createThumbnailFolder(token)}w640.webp`);
    if (old === undefined || next === undefined) throw new Error("two keys");
    for (const key of [old, next]) await store(key);
    await changeVideo(db, id, { thumbnail_key: next });
    await db.transaction().execute((trx) => retireFiles(trx, [old]));
    await age();
    await sweep();
    expect([await has(old), await has(next)]).toEqual([true, true]);
    await db.updateTable("retired_files").set({ goes_at: new Date() }).execute();
    await sweep();
    expect([await has(old), await has(next)]).toEqual([false, true]);
    expect(await db.selectFrom("retired_files").selectAll().execute()).toEqual([]);
  });

  it("is deleted even if another step of the sweep fails", async () => {
    const { db, context } = app;
    const key = `${createThumbnailFolder("lost-token")}w640.webp`;
    await store(key);
    await db.transaction().execute((trx) => retireFiles(trx, [key]));
    await db.updateTable("retired_files").set({ goes_at: new Date() }).execute();
    const failing = vi
      .spyOn(context.storage, "sweepScratch")
      .mockRejectedValue(new Error("AccessDenied"));
    await expect(sweep()).rejects.toThrow("AccessDenied");
    failing.mockRestore();
    expect(await has(key)).toBe(false);
  });
});

describe("a file that outlives its row", () => {
  const addWithFiles = async () => {
    const { id, media_token: mediaToken } = await makeVideo(app.db, {});
    const newFileId = newId();
    const other = sourceKey(newFileId);
    await app.db
      .insertInto("video_replacements")
      .values({
        id: newFileId,
        video_id: id,
        uploaded_by_email: "admin@example.com",
        source_key: other,
      })
      .execute();
    await changeVideo(app.db, id, { source_key: sourceKey(id) });
    const poster = `${videoFolder(mediaToken)}used/poster.jpg`;
    for (const key of [poster, sourceKey(id), other]) await store(key);
    return { id, mediaToken, poster, source: sourceKey(id), other };
  };

  it.each([
    ["removed for good", 0, false],
    ["moved to the trash", 30, true],
  ])("goes at once when a video is %s, except what the trash restores", async (_, days, isKept) => {
    await app.db.updateTable("settings").set({ trash_days: days }).execute();
    const { id, poster, source, other } = await addWithFiles();
    const { status } = await createClient(app.url, await app.signIn()).call(
      "DELETE",
      `/api/videos/${id}`,
    );
    expect(status).toBe(204);
    expect(await Promise.all([poster, source, other].map(has))).toEqual([isKept, isKept, false]);
  });

  it.each([
    ["ends", null],
    ["fails", new Error("stopped")],
  ])("goes when work that stored it after the removal %s", async (_, failure) => {
    const { id, mediaToken, poster, source } = await addWithFiles();
    const late = `${videoFolder(mediaToken)}late/play.mp4`;
    const guarded = createStoredFiles(app.context).withoutLeftovers(
      { videoId: id, mediaToken, sourceKey: source },
      async () => {
        await app.db.deleteFrom("videos").where("id", "=", id).execute();
        await store(late);
        if (failure !== null) throw failure;
      },
    );
    if (failure === null) await guarded;
    else await expect(guarded).rejects.toBe(failure);
    expect(await Promise.all([late, poster, source].map(has))).toEqual([false, false, false]);
  });

  it("stays while any column of its video refers to it", async () => {
    const { id, mediaToken } = await addWithFiles();
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = current_schema() and table_name in ('videos', 'video_replacements')
        and column_name like '%\\_key' and column_name <> 'source_key'`.execute(app.db);
    expect(columns.length).toBeGreaterThan(10);
    for (const { table, column } of columns) {
      const key = `${videoFolder(mediaToken)}${newToken(6)}/file`;
      const owner = sql.ref(table === "videos" ? "id" : "video_id");
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${key}
        where ${owner} = ${id}`.execute(app.db);
      expect([table, column, await listUnreferenced(app.db, [key])]).toEqual([table, column, []]);
    }
  });
});
