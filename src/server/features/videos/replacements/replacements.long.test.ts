import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import {
  makeDraft,
  makeVideo,
  type VideoRow,
  changeVideo,
  readVideo,
} from "#test/factories/make-video.ts";
import { faststart, plain, videoForm } from "#test/sample-videos.ts";
import type { JobName } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";
import { listUnreferenced } from "../files/stored-files.repository.ts";
import { filesOf } from "../files/video-files.ts";
import { createReplacementsService } from "./replacements.service.ts";

let app: TestApp;
let admin: ReturnType<typeof createClient>;
let cookie: string;
let nowMs = Date.now();
beforeAll(async () => {
  const clock = { now: () => nowMs, date: () => new Date(nowMs) };
  app = await startTestApp({ logLevel: "silent", clock });
  cookie = await app.signIn();
  admin = createClient(app.url, cookie);
});
afterAll(() => app.stop());
afterEach(() => vi.restoreAllMocks());

/** Creates a listed video with an original, a ladder and an uploaded thumbnail. */
async function addVideo(values: Parameters<typeof makeVideo>[1] = {}): Promise<VideoRow> {
  const { storage } = app.context;
  const row = await makeVideo(app.db, { views: 7, likes: 3, engaged: 5, progress: 1, ...values });
  const folder = videoFolder(row.media_token);
  const keys = {
    source_key: sourceKey(row.id),
    progressive_key: `${folder}old/play.mp4`,
    hls_key: `${folder}old/hls/master.m3u8`,
    poster_key: `${folder}old/poster.jpg`,
    thumbnail_key: `${folder}thumbnail-own.jpg`,
    audio_key: `${folder}podcast/audio.m4a`,
  };
  for (const key of Object.values(keys)) await storage.putBytes(key, "old");
  await changeVideo(app.db, row.id, keys);
  return readRow(row.id);
}

const readRow = (id: string) => readVideo(app.db, id);

async function findNewFile(videoId: string) {
  const found = app.db.selectFrom("video_replacements").selectAll().where("video_id", "=", videoId);
  return (await found.executeTakeFirst()) ?? null;
}

async function replace(videoId: string, source: string) {
  const path = `/api/admin/videos/${videoId}/file`;
  const { status, json } = await admin.call("POST", path, await videoForm(source));
  return { status, body: json, newFileId: (await findNewFile(videoId))?.id ?? "" };
}

async function runJob(name: JobName, videoId: string): Promise<void> {
  await app.runJob(name, { videoId, waits: 0 });
}

const readFiles = async (id: string) =>
  (await admin.call("GET", `/api/admin/videos/${id}/files`)).json;

const listActions = async (id: string): Promise<string[]> => {
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where entity_id = ${id} order by id`.execute(app.db);
  return rows.map(({ action }) => action);
};

async function isInUse(keys: (string | null)[]): Promise<boolean[]> {
  const named = keys.map((key) => key ?? "v/");
  const unused = await listUnreferenced(app.db, named);
  return named.map((key) => !unused.includes(key));
}

test("plays the old file until the new one is complete, then switches all at once", async () => {
  const old = await addVideo();
  const { status, newFileId } = await replace(old.id, await faststart());
  expect(status).toBe(202);
  const jobs: JobName[] = ["video.publish", "video.encode", "video.finish"];
  for (const name of jobs) {
    const during = await readRow(old.id);
    expect([during.source_key, during.duration_s, filesOf(during)]).toEqual([
      ...[old.source_key, old.duration_s, filesOf(old)],
    ]);
    expect((await readFiles(old.id)).replacement).toMatchObject({ state: "processing" });
    // A second replacement, and reprocessing of the old file, have to wait.
    if (name === "video.publish") {
      expect((await replace(old.id, await plain())).status).toBe(409);
      const again = await admin.call("POST", `/api/videos/${old.id}/reprocess`);
      expect(again.status).toBe(409);
    }
    // Captions added while it was processed are in the new file's playlist.
    if (name === "video.finish") {
      const added = await fetch(`${app.url}/api/admin/videos/${old.id}/captions?language=de`, {
        method: "POST",
        headers: { cookie, origin: app.url },
        body: "1\n00:00:00,100 --> 00:00:00,500\nHello\n",
      });
      expect(added.status).toBe(201);
    }
    await runJob(name, newFileId);
    // Work interrupted by a crash is resumed.
    await app.runJob("jobs.requeue");
  }

  const row = await readRow(old.id);
  expect(row).toMatchObject({
    slug: old.slug,
    media_token: old.media_token,
    status: "ready",
    progress: 1,
    views: 7,
    likes: 3,
    engaged: 5,
    thumbnail_key: old.thumbnail_key,
    source_key: sourceKey(newFileId),
    // Podcasts get the sound of the new file.
    audio_key: null,
  });
  expect(row.duration_s).toBeCloseTo(4, 0);
  expect(row.stored_bytes).toBeGreaterThan(10_000);
  for (const key of [row.progressive_key, row.hls_key, row.poster_key]) {
    expect(await app.context.storage.findStat(key ?? "")).not.toBeNull();
    expect(Object.values(filesOf(old))).not.toContain(key);
  }
  expect((await readFiles(old.id)).replacement).toBeNull();
  expect(await listActions(old.id)).toEqual([
    ...["video.file-uploaded", "video.captions-added", "video.file-replaced"],
  ]);
  const { json } = await admin.call("GET", `/api/videos/${old.id}`);
  expect(json.captions).toHaveLength(1);
  const playlist = await (await fetch(app.url + json.hlsUrl)).text();
  const captions = /LANGUAGE="de".*URI="([^"]+)"/.exec(playlist)?.[1] ?? "";
  // As long as the file that plays now.
  const rendition = await (await fetch(new URL(captions, app.url + json.hlsUrl))).text();
  const lengthS = Number(/#EXTINF:([\d.]+),/.exec(rendition)?.[1]);
  expect(lengthS).toBeCloseTo(row.duration_s, 2);
  expect((await admin.call("GET", `/api/admin/videos/${old.id}/original`)).status).toBe(200);

  // Cached pages and players still use the old files, so the sweep retains them for a day.
  const former = [old.source_key, old.progressive_key, old.hls_key, old.audio_key];
  expect(await isInUse(former)).toEqual([true, true, true, true]);
  nowMs += 25 * 3_600_000;
  await createReplacementsService(app.context).forgetOld();
  nowMs -= 25 * 3_600_000;
  expect(await isInUse(former)).toEqual([false, false, false, false]);
  expect(await isInUse([row.source_key, row.hls_key, row.thumbnail_key])).toEqual(
    [true, true, true], // current files
  );
});

test("keeps the old file when a new one fails, with the reason, and accepts another", async () => {
  const old = await addVideo();
  const { newFileId } = await replace(old.id, await plain());
  const { context } = app;
  vi.spyOn(context.media, "process").mockRejectedValue(
    new AppError("unusable_video", "The picture cannot be decoded."),
  );
  // The second failure is final.
  for (let n = 0; n < 2; n += 1) await runJob("video.publish", newFileId);
  expect(filesOf(await readRow(old.id))).toEqual(filesOf(old));
  expect((await createClient(app.url).call("GET", `/api/videos/${old.id}`)).status).toBe(200);
  expect((await readFiles(old.id)).replacement).toMatchObject({
    state: "failed",
    failureReason: "The picture cannot be decoded.",
  });
  expect(await isInUse([sourceKey(newFileId)])).toEqual([false]);
  const next = await replace(old.id, await plain());
  expect(next.status).toBe(202);
  expect(next.newFileId).not.toBe(newFileId);
});

test("refuses a file that isn't a video and leaves nothing behind", async () => {
  const old = await addVideo();
  const { status, newFileId } = await replace(old.id, import.meta.filename);
  expect([status, newFileId]).toEqual([415, ""]);
  expect(filesOf(await readRow(old.id))).toEqual(filesOf(old));
});

test("ends processing of a cancelled new file and deletes it", async () => {
  const old = await addVideo();
  const { newFileId } = await replace(old.id, await plain());
  const { context } = app;
  const started = Promise.withResolvers<void>();
  vi.spyOn(context.media, "process").mockImplementation(async ({ signal }) => {
    started.resolve();
    await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    throw signal?.reason;
  });
  const running = runJob("video.publish", newFileId);
  await started.promise;
  expect((await admin.call("DELETE", `/api/admin/videos/${old.id}/file`)).status).toBe(200);
  await running;
  expect(await findNewFile(old.id)).toBeNull();
  expect(await context.storage.findStat(sourceKey(newFileId))).toBeNull();
  expect(await isInUse([old.source_key, old.hls_key])).toEqual([true, true]);
  expect((await admin.call("DELETE", `/api/admin/videos/${old.id}/file`)).status).toBe(404);
});

test("ends processing of a new file when its video is removed", async () => {
  const old = await addVideo();
  const { newFileId } = await replace(old.id, await plain());
  expect((await admin.call("DELETE", `/api/videos/${old.id}`)).status).toBe(204);
  await runJob("video.publish", newFileId);
  // The trash retains the video's files.
  expect(await isInUse([old.source_key, old.hls_key, sourceKey(newFileId)])).toEqual([
    ...[true, true, false],
  ]);
});

test("makes a failed video playable with a new file", async () => {
  const failed = await makeDraft(app.db, {
    status: "failed",
    failure_reason: "No picture",
    progress: null,
    progressive_key: null,
    thumbnail_key: null,
  });
  const { newFileId } = await replace(failed.id, await plain());
  for (const name of ["video.publish", "video.encode", "video.finish"] as const) {
    await runJob(name, newFileId);
  }
  const row = await readRow(failed.id);
  expect(row).toMatchObject({ status: "ready", failure_reason: null, progress: 1 });
  expect(row.thumbnail_key).not.toBeNull();
});
