import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { makeVideo, type VideoRow } from "#test/factories/make-video.ts";
import { aac, h264, picture, tone } from "#test/sample-videos.ts";
import { saveWorker } from "#server/jobs/workers.repository.ts";
import { newId } from "#server/lib/ids.ts";
import { AppError } from "#server/lib/app-error.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";

let app: TestApp;
let clip: string;
beforeAll(async () => {
  app = await startTestApp({ logLevel: "silent" });
  clip = await encodeClip("two-rungs.mp4", [
    ...[...picture("854x480", 5, 10), ...tone(5), ...h264, ...aac],
  ]);
});
afterAll(() => app.stop());

/** As if the ladder took a minute of processor time and more. */
beforeEach(() => {
  const { media } = app.context;
  const probe = media.probe.bind(media);
  vi.spyOn(media, "probe").mockImplementation(async (...args) => ({
    ...(await probe(...args)),
    durationS: 3600,
  }));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.database.db.deleteFrom("job_workers").execute();
});

const addWorker = () => saveWorker(app.database.db, newId(), { "video.finish": 10 });

/** A playable video with pictures and without a ladder. */
async function addVideo(): Promise<VideoRow> {
  const { db } = app.database;
  const row = await makeVideo(db, {
    status: "ready",
    progress: 0,
    duration_s: 5,
    width: 640,
    height: 360,
    poster_key: "v/poster.webp",
    preview_key: "v/preview.mp4",
  });
  const { key } = await app.context.storage.putFile(sourceKey(row.id), clip);
  await db.updateTable("videos").set({ source_key: key }).where("id", "=", row.id).execute();
  return row;
}

interface Run {
  part?: number;
  yields?: number;
  signal?: AbortSignal;
}

async function runFinish({ id }: VideoRow, { part, yields, signal }: Run = {}): Promise<void> {
  const job = app.context.jobs.find(({ name }) => name === "video.finish");
  const data = { videoId: id, part, yields };
  await job?.run(data, { signal: signal ?? new AbortController().signal });
}

async function readVideo({ id }: VideoRow) {
  const { db } = app.database;
  return db.selectFrom("videos").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The parts that are queued; "all" for the whole. */
async function listQueued({ id }: VideoRow) {
  const { rows } = await sql<{ part: number | null }>`
    select (data->>'part')::int as part from pgboss.job
    where name = 'video.finish' and data->>'videoId' = ${id} order by created_on`.execute(
    app.database.db,
  );
  return rows.map(({ part }) => part ?? "all");
}

async function countParts({ id }: VideoRow): Promise<number> {
  const { db } = app.database;
  const parts = db.selectFrom("ladder_parts").select("number").where("video_id", "=", id);
  return (await parts.execute()).length;
}

async function listFiles({ media_token: token }: VideoRow): Promise<string[]> {
  const files: string[] = [];
  for await (const { key } of app.context.storage.list(videoFolder(token))) files.push(key);
  return files;
}

async function readText(key: string): Promise<string> {
  return (await app.context.storage.readBytes(key, 1e6)).toString();
}

test("workers make the parts of a ladder, and the master playlist comes when all are stored", async () => {
  const { media } = app.context;
  const makePart = vi.spyOn(media, "processPart");
  await addWorker();
  await addWorker();
  const video = await addVideo();
  await runFinish(video);
  expect(await listQueued(video)).toEqual([0, 1]);
  expect((await readVideo(video))?.hls_key).toBeNull();

  await runFinish(video, { part: 1 });
  // A worker that died after it had stored its part.
  await runFinish(video, { part: 1 });
  // The sweep, which adds nothing: both are queued.
  await runFinish(video);
  expect(await listQueued(video)).toEqual([0, 1]);
  expect((await readVideo(video))?.progress).toBeLessThan(1);
  // One that died half-way, and one that was only given up for dead.
  const [part] = await app.database.db.selectFrom("ladder_parts").selectAll().execute();
  await app.context.storage.putBytes(`${part?.folder}hls/lost/v480.mp4`, "half");
  const again = { part: 0, yields: 3 };
  await Promise.all([runFinish(video, again), runFinish(video, again)]);
  expect(
    makePart.mock.calls.map(
      ([
        {
          part: { sides },
        },
      ]) => sides,
    ),
  ).toEqual([[360], [480], [480]]);
  expect(await listQueued(video)).toEqual([0, 1, "all"]);
  expect((await readVideo(video))?.hls_key).toBeNull();
  await runFinish(video);

  const row = await readVideo(video);
  expect(row).toMatchObject({ progress: 1, width: 854, height: 480 });
  const master = row?.hls_key ?? "";
  const folder = master.replace("master.m3u8", "");
  const uris = (await readText(master)).match(/[\w-]+\/v\d+\.m3u8$/gm) ?? [];
  expect(uris.map((uri) => uri.replace(/.*\//, ""))).toEqual(["v480.m3u8", "v360.m3u8"]);
  const segments = await Promise.all(
    uris.map(async (uri) => (await readText(folder + uri)).match(/^#EXTINF:.*$/gm)),
  );
  // Players switch between them at every segment.
  expect(segments[0]).toHaveLength(3);
  expect(segments[0]).toEqual(segments[1]);
  const sound = /TYPE=AUDIO.*URI="([^"]+)"/.exec(await readText(master))?.[1] ?? "";
  expect(await readText(folder + sound)).toContain("#EXT-X-ENDLIST");
  expect(row?.progressive_small_key).not.toBeNull();
  expect(await countParts(video)).toBe(0);
  // Nothing of the lost ones is left.
  const hls = (await listFiles(video)).filter((key) => key.includes("/hls/"));
  expect(hls.map((key) => key.replace(/.*\//, "")).toSorted()).toEqual([
    ...["audio.m3u8", "audio.mp4", "master.m3u8"],
    ...["v360.m3u8", "v360.mp4", "v480.m3u8", "v480.mp4"],
  ]);
});

test("one worker makes the ladder in one pass, and so do others that are busy", async () => {
  const { media } = app.context;
  const makePart = vi.spyOn(media, "processPart");
  vi.spyOn(media, "process").mockImplementation(async (job) => {
    const rungs = [360, 480].map((side) => ({
      shortSide: side,
      width: side,
      height: side,
      maxrateKbps: 1,
    }));
    const isHandedOver = (await job.handOver?.({ rungs, estimateS: 600 })) ?? false;
    const estimate = { quickS: 0, picturesS: 0, ladderS: 600, largeS: 0 };
    return { durationS: 5, isEncodeNeeded: false, isHandedOver, estimate, problems: [] };
  });
  await addWorker();
  const [alone, busy] = [await addVideo(), await addVideo()];
  await runFinish(alone);
  await addWorker();
  for (let n = 0; n < 20; n += 1) {
    await app.context.queue.enqueue(app.context.db, "video.encode", { videoId: newId() });
  }
  await runFinish(busy);
  expect([await listQueued(alone), await listQueued(busy)]).toEqual([[], []]);
  await sql`delete from pgboss.job where name = 'video.encode'`.execute(app.database.db);
  expect(makePart).not.toHaveBeenCalled();
});

/** A video whose ladder is divided. */
async function addDivided(): Promise<VideoRow> {
  await addWorker();
  await addWorker();
  const video = await addVideo();
  await runFinish(video);
  return video;
}

test("a worker leaves the second part of a ladder to others for a moment", async () => {
  const video = await addDivided();
  const { media } = app.context;
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  const makePart = vi.spyOn(media, "processPart").mockImplementation(() => {
    started.resolve();
    return ended.promise;
  });
  const stop = new AbortController();
  const running = runFinish(video, { part: 0, signal: stop.signal });
  await started.promise;
  await runFinish(video, { part: 1 });
  expect(makePart).toHaveBeenCalledTimes(1);
  expect(await listQueued(video)).toEqual([0, 1, 1]);
  stop.abort();
  ended.reject(new Error("stopped"));
  await expect(running).rejects.toThrow("stopped");
});

test("the removal of a video ends all its parts and leaves no file", async () => {
  await app.database.db.updateTable("settings").set({ trash_days: 0 }).execute();
  const video = await addDivided();
  const { context } = app;
  const started: PromiseWithResolvers<void>[] = [0, 1].map(() => Promise.withResolvers<void>());
  vi.spyOn(context.media, "processPart").mockImplementation(async ({ signal, part }) => {
    started[part.hasSound ? 1 : 0]?.resolve();
    await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    throw signal?.reason;
  });
  const running = [0, 1].map((part) => runFinish(video, { part, yields: 3 }));
  await Promise.all(started.map(({ promise }) => promise));
  const client = createClient(app.url, await app.signIn());
  expect((await client.call("DELETE", `/api/videos/${video.id}`)).status).toBe(204);
  await Promise.all(running);
  expect(await listFiles(video)).toEqual([]);
  expect(await countParts(video)).toBe(0);
});

test("a division that the database has lost begins again, one of a failed video does not", async () => {
  const [lost, failed] = [await addDivided(), await addDivided()];
  await app.database.db.deleteFrom("ladder_parts").where("video_id", "=", lost.id).execute();
  await runFinish(lost, { part: 0 });
  expect(await listQueued(lost)).toEqual([0, 1, "all"]);

  vi.spyOn(app.context.media, "processPart").mockRejectedValue(
    new AppError("unusable_video", "The ladder is too high."),
  );
  await runFinish(failed, { part: 0 });
  await runFinish(failed, { part: 1 });
  expect(await readVideo(failed)).toMatchObject({
    status: "ready",
    progress: null,
    failure_reason: "The ladder is too high.",
  });
  expect(await listQueued(failed)).toEqual([0, 1]);
});
