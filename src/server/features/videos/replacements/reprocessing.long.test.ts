import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeVideo, type VideoRow, changeVideo, readVideo } from "#test/factories/make-video.ts";
import { faststart } from "#test/sample-videos.ts";
import { AppError } from "#server/lib/app-error.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";
import { listUnreferenced } from "../files/stored-files.repository.ts";
import { filesOf } from "../files/video-files.ts";
import { createProcessingStateService } from "../processing-state/processing-state.service.ts";
import { createReplacementsService } from "./replacements.service.ts";

let app: TestApp;
let admin: ReturnType<typeof createClient>;
let nowMs = Date.now();
/** Each video has another size, because sources of equal size would be compared. */
let sourceBytes = 4711;
beforeAll(async () => {
  const clock = { now: () => nowMs, date: () => new Date(nowMs) };
  app = await startTestApp({ logLevel: "silent", clock });
  admin = createClient(app.url, await app.signIn());
});
afterAll(() => app.stop());
afterEach(() => vi.restoreAllMocks());

/** Creates a listed video with an original and all its files. */
async function addVideo(): Promise<VideoRow> {
  const { storage } = app.context;
  const row = await makeVideo(app.db, { progress: 1, views: 7, duration_s: 4 });
  const folder = videoFolder(row.media_token);
  const keys = {
    progressive_key: `${folder}first/play.mp4`,
    poster_key: `${folder}second/poster.jpg`,
    thumbnail_key: `${folder}second/thumbnail.jpg`,
    preview_key: `${folder}second/preview.mp4`,
    hls_key: `${folder}third/hls/master.m3u8`,
    storyboard_key: `${folder}fourth/storyboard.vtt`,
    progressive_small_key: `${folder}fourth/small.mp4`,
    audio_key: `${folder}fifth/audio.m4a`,
  };
  sourceBytes += 1;
  for (const key of Object.values(keys)) await storage.putBytes(key, "old");
  await storage.putFile(sourceKey(row.id), await faststart());
  await changeVideo(app.db, row.id, {
    ...keys,
    source_key: sourceKey(row.id),
    source_bytes: sourceBytes,
  });
  return readRow(row.id);
}

const readRow = (id: string) => readVideo(app.db, id);

const begin = (id: string) => admin.call("POST", `/api/videos/${id}/reprocess`);

const readFiles = async (id: string) =>
  (await admin.call("GET", `/api/admin/videos/${id}/files`)).json;

/** Returns the jobs queued for a video's renditions, lowest priority first. */
async function listJobs(videoId: string): Promise<{ id: string; priority: number }[]> {
  const { rows } = await sql<{ id: string; priority: number }>`
    select r.id, j.priority from video_replacements r
    join pgboss.job j on j.name = 'video.finish' and j.data->>'videoId' = r.id::text
    where r.video_id = ${videoId} order by j.priority`.execute(app.db);
  return rows;
}

async function runJob(videoId: string): Promise<void> {
  const [queued] = await listJobs(videoId);
  await app.runJob("video.finish", { videoId: queued?.id });
}

async function isInUse(keys: (string | null)[]): Promise<boolean[]> {
  const named = keys.map((key) => key ?? "v/");
  const unused = await listUnreferenced(app.db, named);
  return named.map((key) => !unused.includes(key));
}

test("plays the current renditions until the new ones are complete, then switches all of them at once", async () => {
  const old = await addVideo();
  expect((await begin(old.id)).json).toMatchObject({
    progress: 1,
    hlsUrl: `/media/${old.hls_key}`,
  });
  // New videos don't wait for reprocessing.
  const other = await addVideo();
  await createProcessingStateService(app.context).queueFinish(
    { id: other.id, isReprocessing: false },
    3600,
  );
  const { rows } = await sql<{ priority: number }>`
    select priority from pgboss.job where data->>'videoId' = ${other.id}`.execute(app.db);
  const [queued] = await listJobs(old.id);
  expect(queued?.priority).toBeLessThan((rows[0]?.priority ?? 0) - 100_000_000);

  const { media } = app.context;
  const make = media.process.bind(media);
  const during: unknown[] = [];
  vi.spyOn(media, "process").mockImplementation((job) =>
    make({
      ...job,
      hooks: {
        ...job.hooks,
        async onLadder(output) {
          await job.hooks.onLadder(output);
          during.push(filesOf(await readRow(old.id)));
          expect(await isInUse([old.hls_key, old.storyboard_key])).toEqual([true, true]);
          expect((await readFiles(old.id)).replacement).toMatchObject({
            state: "processing",
            isRenewal: true,
          });
        },
      },
    }),
  );
  await runJob(old.id);
  expect(during).toEqual([filesOf(old)]);

  const row = await readRow(old.id);
  expect(row).toMatchObject({
    status: "ready",
    progress: 1,
    views: 7,
    failure_reason: null,
    source_key: old.source_key,
    source_bytes: old.source_bytes,
    // Files that these steps don't make are retained.
    poster_key: old.poster_key,
    preview_key: old.preview_key,
    // Made again, because a repaired file may play now.
    audio_key: null,
  });
  const made = [row.hls_key, row.storyboard_key, row.progressive_small_key];
  for (const key of made) {
    expect(await app.context.storage.findStat(key ?? "")).not.toBeNull();
    expect(Object.values(filesOf(old))).not.toContain(key);
  }
  expect((await readFiles(old.id)).replacement).toBeNull();
  const former = [old.hls_key, old.storyboard_key, old.progressive_small_key];
  expect(await isInUse(former)).toEqual([true, true, true]);
  nowMs += 25 * 3_600_000;
  await createReplacementsService(app.context).forgetOld();
  nowMs -= 25 * 3_600_000;
  expect(await isInUse(former)).toEqual([false, false, false]);
  expect(await isInUse([row.source_key, row.hls_key, row.poster_key, row.progressive_key])).toEqual(
    [true, true, true, true],
  );
  // Reprocesses again from the same original.
  expect((await begin(old.id)).status).toBe(200);
});

test("keeps the playable files and the original when renditions fail or are stopped", async () => {
  const old = await addVideo();
  await begin(old.id);
  vi.spyOn(app.context.media, "process").mockRejectedValue(
    new AppError("unusable_video", "The picture cannot be decoded."),
  );
  // The second failure is final.
  for (let n = 0; n < 2; n += 1) await runJob(old.id);
  const { replacement } = await readFiles(old.id);
  expect(replacement).toMatchObject({
    state: "failed",
    isRenewal: true,
    failureReason: "The picture cannot be decoded.",
  });
  expect(await readRow(old.id)).toEqual(old);

  // Another attempt replaces the failed one.
  expect((await begin(old.id)).status).toBe(200);
  expect((await admin.call("DELETE", `/api/admin/videos/${old.id}/file`)).status).toBe(200);
  expect((await readFiles(old.id)).replacement).toBeNull();
  expect(await app.context.storage.findStat(old.source_key ?? "")).not.toBeNull();
  expect(filesOf(await readRow(old.id))).toEqual(filesOf(old));
});

test("requeues a job lost in a crash, behind new videos", async () => {
  const old = await addVideo();
  await begin(old.id);
  const [before] = await listJobs(old.id);
  await sql`delete from pgboss.job where data->>'videoId' = ${before?.id ?? ""}`.execute(app.db);
  await app.runJob("jobs.requeue");
  const [after] = await listJobs(old.id);
  expect(after?.id).toBe(before?.id);
  expect(after?.priority).toBeLessThan(-900_000_000);
});
