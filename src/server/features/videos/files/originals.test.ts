import { createHash } from "node:crypto";
import { readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { useTestApp, useClient } from "#test/app.ts";
import { makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { faststart, videoForm } from "#test/sample-videos.ts";
import type { JobName } from "#server/jobs/queue.ts";
import { newId } from "#server/lib/ids.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";

let original: Buffer;
const app = useTestApp({ logLevel: "silent" });
const admin = useClient(app);
beforeAll(async () => {
  original = await readFile(await faststart());
});
beforeEach(() => keepOriginals(false));
afterEach(() => vi.restoreAllMocks());

async function keepOriginals(keeps: boolean): Promise<void> {
  const { status, json } = await admin.call("POST", "/api/settings", { keepOriginals: keeps });
  expect([status, json.keepOriginals]).toEqual([200, keeps]);
}

/** Creates a video with an original and all its files. `bytes` makes the source unique. */
async function addVideo(bytes: Buffer, progress = 1): Promise<string> {
  const { storage } = app.context;
  const { id, media_token } = await makeVideo(app.db, { progress, duration_s: 4 });
  const keys = {
    progressive_key: `${videoFolder(media_token)}first/play.mp4`,
    poster_key: `${videoFolder(media_token)}second/poster.jpg`,
    preview_key: `${videoFolder(media_token)}second/preview.mp4`,
    hls_key: `${videoFolder(media_token)}third/hls/master.m3u8`,
    storyboard_key: `${videoFolder(media_token)}fourth/storyboard.vtt`,
  };
  for (const key of Object.values(keys)) await storage.putBytes(key, "made");
  await storage.putBytes(sourceKey(id), bytes);
  const values = {
    source_key: sourceKey(id),
    source_bytes: bytes.length,
    source_sha256: createHash("sha256").update(bytes).digest(),
  };
  await changeVideo(app.db, id, { ...keys, ...values });
  return id;
}

async function runJob(name: JobName, videoId: string, waits = 0): Promise<void> {
  await app.runJob(name, { videoId, waits });
}

const drop = (id: string) => runJob("video.drop-original", id);
const hasOriginal = async (id: string) =>
  (await app.context.storage.findStat(sourceKey(id))) !== null;
const readFiles = async (id: string) =>
  (await admin.call("GET", `/api/admin/videos/${id}/files`)).json;

/** Returns the delays in seconds of waiting jobs with this name. */
async function listJobs(name: JobName, videoId: string): Promise<number[]> {
  const { rows } = await sql<{ delay: number }>`
    select extract(epoch from start_after - created_on)::int as delay from pgboss.job
    where name = ${name} and data->>'videoId' = ${videoId}`.execute(app.db);
  return rows.map(({ delay }) => delay);
}

test("keeps originals unless the settings require otherwise", async () => {
  await keepOriginals(true);
  const id = await addVideo(Buffer.from("kept"), 0.9);
  await runJob("video.finish", id);
  expect(await listJobs("video.drop-original", id)).toEqual([]);
  await drop(id);
  expect((await readFiles(id)).originalBytes).toBe(4);
});

test("queues the deletion of the original at the end of processing", async () => {
  const id = await addVideo(Buffer.from("finished"), 0.9);
  // The bytes aren't a video. After the second attempt, that failure is final.
  for (let n = 0; n < 2; n += 1) await runJob("video.finish", id);
  expect(await listJobs("video.drop-original", id)).toEqual([0]);
});

test("queues the deletion if a job died after it had switched to new files", async () => {
  const id = await addVideo(Buffer.from("switched"));
  const replacement = newId();
  await app.db
    .insertInto("video_replacements")
    .values({
      id: replacement,
      video_id: id,
      uploaded_by_email: "admin@example.com",
      switched_at: new Date(),
    })
    .execute();
  await runJob("video.finish", replacement);
  expect(await listJobs("video.drop-original", id)).toEqual([0]);
});

test("queues a deletion that lost its job, once the cut can't be undone", async () => {
  const id = await addVideo(Buffer.from("cut"), 0.9);
  const requeued = async () => {
    await runJob("jobs.requeue", id);
    return listJobs("video.drop-original", id);
  };
  const loseJobs = () => sql`delete from pgboss.job where data->>'videoId' = ${id}`.execute(app.db);
  await keepOriginals(true);
  for (let n = 0; n < 2; n += 1) await runJob("video.finish", id);
  await keepOriginals(false);
  expect(await requeued()).toEqual([]);
  await changeVideo(app.db, id, { cut_at: new Date() });
  await runJob("video.finish", id);
  await loseJobs();
  expect(await requeued()).toEqual([]);
  await changeVideo(app.db, id, { cut_at: new Date(0) });
  expect([await requeued(), await requeued()]).toEqual([[0], [0]]);
  await drop(id);
  await loseJobs();
  expect(await requeued()).toEqual([]);
});

test("makes no renditions from a deleted original but still recognises the same file", async () => {
  const id = await addVideo(original);
  const storedBefore = (await admin.call("GET", `/api/videos/${id}`)).json.sizeBytes;
  await drop(id);
  expect(await hasOriginal(id)).toBe(false);
  expect(await readFiles(id)).toMatchObject({ originalBytes: null, sameFileAs: [] });
  const { sizeBytes } = (await admin.call("GET", `/api/videos/${id}`)).json;
  expect(storedBefore - sizeBytes).toBe(original.length);
  expect((await admin.call("GET", `/api/admin/videos/${id}/original`)).status).toBe(404);

  const again = await admin.call("POST", `/api/videos/${id}/reprocess`);
  expect(again).toMatchObject({ status: 409 });
  expect(again.json.message).toContain("The original file of this video no longer exists");

  const form = await videoForm(await faststart(), { title: "The same" });
  const { json } = await admin.call("POST", "/api/videos", form);
  expect(json.sameFileAs).toMatchObject([{ id }]);
});

test("retains an original while a rendition is missing or being made", async () => {
  const unfinished = await addVideo(Buffer.from("unfinished"), 0.9);
  await drop(unfinished);
  expect(await hasOriginal(unfinished)).toBe(true);

  const id = await addVideo(Buffer.from("made again"));
  expect((await admin.call("POST", `/api/videos/${id}/reprocess`)).status).toBe(200);
  await drop(id);
  expect(await hasOriginal(id)).toBe(true);
});

test.each(["video.captions", "video.efficient"] as const)(
  "waits for %s, which needs the original",
  async (name) => {
    const { context, database } = app;
    const id = await addVideo(Buffer.from(name));
    await context.queue.enqueue(database.db, name, { videoId: id });
    await drop(id);
    expect(await hasOriginal(id)).toBe(true);
    expect(await listJobs("video.drop-original", id)).toEqual([30]);
    await runJob("video.drop-original", id, 9);
    expect((await listJobs("video.drop-original", id)).toSorted()).toEqual([30, 600]);
  },
);

/** Simulates a deletion that fails between the database and the storage. */
async function interruptDrop(bytes: string): Promise<string> {
  const id = await addVideo(Buffer.from(bytes));
  vi.spyOn(app.context.storage, "delete").mockRejectedValueOnce(new Error("the storage is away"));
  await expect(drop(id)).rejects.toThrow("away");
  expect(await hasOriginal(id)).toBe(true);
  const row = await app.db
    .selectFrom("videos")
    .select(["source_bytes", "dropped_bytes"])
    .where("id", "=", id)
    .executeTakeFirst();
  expect(row).toEqual({ source_bytes: null, dropped_bytes: bytes.length });
  return id;
}

test("completes an interrupted deletion on the next run", async () => {
  const id = await interruptDrop("interrupted");
  await drop(id);
  expect(await hasOriginal(id)).toBe(false);
});

test("completes an interrupted deletion in the sweep without deleting other originals", async () => {
  const dropped = await interruptDrop("swept");
  const kept = await addVideo(Buffer.from("spared"));
  for (const id of [dropped, kept]) {
    const twoDaysAgo = Date.now() / 1000 - 48 * 3600;
    const file = join(app.dataDir, "storage/objects", sourceKey(id));
    await utimes(file, twoDaysAgo, twoDaysAgo);
  }
  await runJob("maintenance.orphans", dropped);
  expect(await hasOriginal(dropped)).toBe(false);
  expect(await hasOriginal(kept)).toBe(true);
});
