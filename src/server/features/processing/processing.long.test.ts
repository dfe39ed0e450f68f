import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeVideo, type VideoRow, changeVideo } from "#test/factories/make-video.ts";
import { plain, sampleVideos } from "#test/sample-videos.ts";
import type { JobName } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newId } from "#server/lib/ids.ts";

import {
  InterruptedError,
  MediaProcessError,
  UnverifiedOutputError,
} from "#server/media/run/media-process-error.ts";
import type { RunResult } from "#server/media/run/run-process.ts";
import { exampleFacts } from "#server/media/facts/example-facts.fixture.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";
import { createProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import { planPriority } from "#server/features/videos/processing-state/enqueue-processing.ts";

const app = useTestApp({ logLevel: "silent" });
afterEach(() => vi.restoreAllMocks());

/** Creates an acknowledged video with this source file, without a job. */
async function addVideo(source: string): Promise<VideoRow> {
  const row = await makeVideo(app.db, {
    status: "processing",
    progress: 0,
    is_published: false,
    progressive_key: null,
    thumbnail_key: null,
  });
  await app.context.storage.putFile(sourceKey(row.id), source);
  await changeVideo(app.db, row.id, { source_key: sourceKey(row.id) });
  return row;
}

async function runJob(name: JobName, videoId: string, waits = 0): Promise<void> {
  await app.runJob(name, { videoId, waits });
}

/** Runs the newest queued job of a video with the payload it was queued with. */
async function runQueued(videoId: string): Promise<void> {
  const { rows } = await sql<{ name: JobName; data: object }>`
    select name, data from pgboss.job where data->>'videoId' = ${videoId}
    order by created_on desc limit 1`.execute(app.db);
  const [queued] = rows;
  if (queued !== undefined) await app.runJob(queued.name, queued.data);
}

async function readVideo(id: string) {
  const row = await app.db.selectFrom("videos").selectAll().where("id", "=", id).executeTakeFirst();
  const jobs = await sql<{ name: string; waits: number | null; delay: number }>`
    select name, (data->>'waits')::int as waits,
      extract(epoch from start_after - created_on)::int as delay
    from pgboss.job where data->>'videoId' = ${id} order by created_on desc`.execute(app.db);
  return { row, jobs: jobs.rows };
}

/** Accepts every source but makes its processing fail. */
function failWith(error: Error): void {
  vi.spyOn(app.context.media, "probe").mockResolvedValue(exampleFacts());
  vi.spyOn(app.context.media, "process").mockRejectedValue(error);
}

const endedBy = (signal: string): RunResult => ({
  exitCode: null,
  signal,
  killed: null,
  isOutOfCpuTime: false,
  stdout: Buffer.alloc(0),
  stderr: "",
  stderrLineCount: 0,
  usage: { cpuS: 1, peakRssBytes: 0, peakAddressBytes: 0, wallS: 1 },
});
const killed = new InterruptedError("quick", endedBy("SIGKILL"));
const crashed = endedBy("SIGSEGV");

test.each([
  ["a killed tool", killed, "Processing was interrupted."],
  [
    "a full disk",
    new AppError("storage_full", "Storage is full. Free up some space and try again."),
    "Storage is full.",
  ],
  [
    "a disk that fails",
    new Error("problem", { cause: Object.assign(new Error("read"), { code: "EIO" }) }),
    "Storage can't be read or written.",
  ],
])(
  "never fails a video because of %s, and retries at growing intervals",
  async (_, error, reason) => {
    const { id } = await addVideo(await plain());
    vi.spyOn(app.context.media, "process").mockRejectedValue(error);
    for (let waits = 0; waits < 6; waits += 1) await runJob("video.publish", id, waits);
    const { row, jobs } = await readVideo(id);
    expect(row).toMatchObject({ status: "processing", failures: 0 });
    expect(row?.failure_reason).toMatch(
      /^[^.]+\. Waiting since \d{4}-\d\d-\d\d \d\d:\d\d UTC\. It will be retried automatically\.$/,
    );
    expect(row?.failure_reason).toContain(reason);
    expect(jobs.map(({ waits, delay }) => [waits, delay])).toEqual([
      [2, 10],
      [1, 5],
    ]);
  },
);

test("extends the pause between attempts up to ten minutes until one succeeds", async () => {
  const { id } = await addVideo(await plain());
  failWith(killed);
  const warn = vi.spyOn(app.context.logger, "warn");
  await runJob("video.publish", id, 9);
  // Operators look for this line.
  expect(warn.mock.lastCall?.at(-1)).toBe("processing waits");
  const waiting = await readVideo(id);
  expect(waiting.jobs).toMatchObject([{ waits: 10, delay: 600 }]);
  vi.restoreAllMocks();
  await runJob("video.publish", id, 10);
  const { row, jobs } = await readVideo(id);
  expect(row).toMatchObject({ status: "ready", failure_reason: null, media_notices: [] });
  expect(jobs[0]).toMatchObject({ name: "video.encode" });
});

test("counts a video as work while it may be processed but not while it waits for its next attempt", async () => {
  const state = createProcessingStateService({ ...app.context, changed: async () => undefined });
  await sql`delete from pgboss.job`.execute(app.db);
  const { id } = await addVideo(await plain());
  failWith(killed);
  await runJob("video.publish", id, 9);
  expect(await state.isBusy()).toBe(false);
  await sql`update pgboss.job set start_after = now() where data->>'videoId' = ${id}`.execute(
    app.db,
  );
  expect(await state.isBusy()).toBe(true);
});

test("waits for a source that is missing from storage, whatever the error is", async () => {
  const { id } = await addVideo(await plain());
  await app.context.storage.delete(sourceKey(id));
  await runJob("video.publish", id);
  expect((await readVideo(id)).row).toMatchObject({
    status: "processing",
    failure_reason: expect.stringMatching(/^The original file can't be found/),
  });
});

test("fails after the second failure that only the file explains, if there is no other work", async () => {
  for (const [error, reason] of [
    [new AppError("unusable_video", "Not a single picture."), "Not a single picture."],
    [new MediaProcessError("quick", crashed), expect.stringContaining("be processed")],
  ] as const) {
    const { id } = await addVideo(await plain());
    failWith(error);
    await runJob("video.publish", id);
    expect((await readVideo(id)).row).toMatchObject({
      status: "processing",
      failures: 1,
      failure_reason: expect.stringContaining("It will be retried once more"),
    });
    expect((await readVideo(id)).jobs).toMatchObject([{ name: "video.publish", waits: 1 }]);
    await runJob("video.publish", id, 1);
    expect((await readVideo(id)).row).toMatchObject({
      status: "failed",
      failures: 2,
      failure_reason: reason,
    });
  }
});

test("gives up on a file that is incomplete twice in the same way, and says what failed", async () => {
  const { id } = await addVideo(await plain());
  failWith(new UnverifiedOutputError("quick-180.mp4", "it lasts 1 s instead of 3 s", false));
  await runJob("video.publish", id);
  const waiting = (await readVideo(id)).row;
  expect(waiting).toMatchObject({ status: "processing", failures: 0 });
  await runQueued(id);
  expect((await readVideo(id)).row).toMatchObject({
    status: "failed",
    failure_reason: expect.stringContaining("quick-180.mp4: it lasts 1 s instead of 3 s"),
  });
});

test("keeps waiting if a file is incomplete in a different way each time", async () => {
  const { id } = await addVideo(await plain());
  failWith(new UnverifiedOutputError("quick-180.mp4", "it lasts 1 s instead of 3 s", false));
  await runJob("video.publish", id);
  vi.restoreAllMocks();
  failWith(new UnverifiedOutputError("quick-180.mp4", "it lasts 2 s instead of 3 s", false));
  await runQueued(id);
  expect((await readVideo(id)).row).toMatchObject({ status: "processing", failures: 0 });
});

test("completes a video whose preview was left out, without trying it again", async () => {
  const { id } = await addVideo(await plain());
  const { context } = app;
  const original = context.media.process.bind(context.media);
  vi.spyOn(context.media, "process").mockImplementation((job) =>
    original({
      ...job,
      hooks: {
        ...job.hooks,
        onPictures: (output) =>
          job.hooks.onPictures({
            ...output,
            files: output.files.filter(({ role }) => role !== "preview"),
            skipped: ["preview"],
            notices: ["Couldn't make the preview, twice for the same reason: too short"],
          }),
      },
    }),
  );
  await runJob("video.publish", id);
  await runJob("video.encode", id);
  expect((await readVideo(id)).row).toMatchObject({
    preview_key: null,
    skipped_files: ["preview"],
    media_notices: ["Couldn't make the preview, twice for the same reason: too short"],
  });
  await runJob("video.finish", id);
  expect(vi.mocked(context.media.process).mock.lastCall?.[0].done).toContain("pictures");
  expect((await readVideo(id)).row).toMatchObject({ status: "ready", progress: 1 });
});

test.each([
  ["adds the captions of an uploaded file", null, 1],
  ["adds no captions of the file to a draft of a cut", [{ startS: 0, endS: 1 }], 0],
])("%s", async (_, parts, count) => {
  const { id } = await addVideo(await plain());
  await changeVideo(app.db, id, { kept_parts: parts === null ? null : JSON.stringify(parts) });
  vi.spyOn(app.context.media, "probe").mockResolvedValue(exampleFacts());
  vi.spyOn(app.context.media, "process").mockImplementation(async ({ hooks }) => {
    const track = { index: 2, codec: "subrip", language: "en", title: null, timeline: null };
    const flags = { isDefault: false, isForced: false, isDescription: false };
    const lines = [{ startMs: 0, endMs: 500, text: "Hello", place: "" }];
    await hooks.onCaptions({ tracks: [{ ...track, ...flags, lines }], notices: [] });
    throw killed;
  });
  await runJob("video.publish", id);
  expect((await readVideo(id)).row?.captions).toHaveLength(count);
});

test("ignores a failure while other videos are processed, and waits for them", async () => {
  const { id } = await addVideo(await plain());
  failWith(new MediaProcessError("quick", crashed));
  // Two jobs run by another worker.
  for (const key of ["one", "two"]) {
    await app.context.queue.enqueue(app.db, "video.encode", { videoId: newId() }, { key });
  }
  await sql`update pgboss.job set state = 'active' where singleton_key in ('one', 'two')`.execute(
    app.db,
  );
  for (let waits = 0; waits < 4; waits += 1) await runJob("video.publish", id, waits);
  const { row } = await readVideo(id);
  expect(row).toMatchObject({ status: "processing", failures: 0 });
  const attempts = vi.mocked(app.context.media.process).mock.calls.length;
  const suspect = { videoId: id, waits: 4, isSuspect: true };
  await app.runJob("video.publish", suspect);
  expect(vi.mocked(app.context.media.process).mock.calls.length).toBe(attempts);
  expect((await readVideo(id)).jobs[0]).toMatchObject({ name: "video.publish" });
  await sql`delete from pgboss.job where singleton_key in ('one', 'two')`.execute(app.db);
  await app.runJob("video.publish", suspect);
  expect((await readVideo(id)).row).toMatchObject({ status: "processing", failures: 1 });
});

test("counts an attempt that takes most of a day as a failure", async () => {
  const { id } = await addVideo(await plain());
  const limit = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  vi.spyOn(app.context.media, "process").mockImplementation(async ({ signal }) => {
    limit.abort();
    signal?.throwIfAborted();
    throw new Error("continued");
  });
  for (const waits of [0, 1]) await runJob("video.publish", id, waits);
  expect((await readVideo(id)).row).toMatchObject({
    status: "failed",
    failure_reason: "Processing took more than 23 hours.",
  });
});

test("reports failed renditions, and leaves the video playable after a retry", async () => {
  const { id } = await addVideo(await plain());
  await runJob("video.publish", id);
  failWith(new AppError("unusable_video", "The ladder is too high."));
  for (const waits of [0, 1]) await runJob("video.finish", id, waits);
  expect((await readVideo(id)).row).toMatchObject({
    status: "ready",
    failure_reason: "The ladder is too high.",
  });
  const client = createClient(app.url, await app.signIn());
  const retried = await client.call("POST", `/api/videos/${id}/retry`);
  expect(retried.json).toMatchObject({ status: "ready", failureReason: null, progress: 0 });
  expect((await readVideo(id)).jobs[0]?.name).toBe("video.finish");
});

test("ends processing at once when a video is removed, and leaves no file", async () => {
  const { id, media_token: token } = await addVideo(await plain());
  const { context } = app;
  const started = Promise.withResolvers<void>();
  vi.spyOn(context.media, "process").mockImplementation(async ({ signal }) => {
    started.resolve();
    await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    // A file in progress when the video was removed.
    await context.storage.putBytes(`${videoFolder(token)}1/late.mp4`, "late");
    throw signal?.reason;
  });
  await app.db.updateTable("settings").set({ trash_days: 0 }).execute();
  const running = runJob("video.publish", id);
  await started.promise;
  const client = createClient(app.url, await app.signIn());
  expect((await client.call("DELETE", `/api/videos/${id}`)).status).toBe(204);
  await running;
  const files: string[] = [];
  for await (const { key } of context.storage.list(videoFolder(token))) files.push(key);
  expect(files).toEqual([]);
  expect(await context.storage.findStat(sourceKey(id))).toBeNull();
  expect((await readVideo(id)).jobs).toEqual([]);
  const scratch = await readdir(join(app.dataDir, "storage/scratch"), { recursive: true });
  expect(scratch.filter((name) => name.includes("work"))).toEqual([]);
});

test("passes encodes on when publishing, and stores the size of the playable files", async () => {
  const { id } = await addVideo(await sampleVideos.oddSize.make());
  await runJob("video.publish", id);
  expect((await readVideo(id)).row?.status).toBe("processing");
  expect((await readVideo(id)).jobs).toMatchObject([{ name: "video.encode" }]);
  await runJob("video.encode", id);
  expect((await readVideo(id)).row).toMatchObject({ status: "ready", width: 160, height: 120 });
});

test("processes an unplayable video before the images of a playable one", async () => {
  const copied = await addVideo(await plain());
  const encoded = await addVideo(await sampleVideos.oddSize.make());
  await runJob("video.publish", copied.id);
  await runJob("video.publish", encoded.id);
  const { rows } = await sql<{ id: string }>`
    select data->>'videoId' as id from pgboss.job
    where name = 'video.encode' and data->>'videoId' in (${copied.id}, ${encoded.id})
    order by priority desc`.execute(app.db);
  expect(rows.map(({ id }) => id)).toEqual([encoded.id, copied.id]);
});

test("publishes copies while encodes occupy their lanes", async () => {
  const { context } = app;
  const encodes = Promise.withResolvers<void>();
  const process = context.media.process.bind(context.media);
  vi.spyOn(context.media, "process").mockImplementation(async (job) => {
    if (job.onlyCopies !== true) await encodes.promise;
    return process(job);
  });
  const slow = await Promise.all(
    [1, 2, 3, 4].map(async () => addVideo(await sampleVideos.oddSize.make())),
  );
  const copied = await addVideo(await plain());
  const enqueue = ({ id }: VideoRow) =>
    context.queue.enqueue(context.db, "video.publish", { videoId: id }, { key: id });
  for (const video of slow) await enqueue(video);
  await context.queue.work(context.jobs);
  try {
    // Four were probed, and one is being encoded.
    const started = () => vi.mocked(context.media.process).mock.calls.length;
    await expect.poll(started, { timeout: 60_000 }).toBeGreaterThan(4);
    await enqueue(copied);
    const statusOf = async ({ id }: VideoRow) => (await readVideo(id)).row?.status;
    await expect.poll(() => statusOf(copied), { timeout: 60_000 }).toBe("ready");
    expect(new Set(await Promise.all(slow.map(statusOf)))).toEqual(new Set(["processing"]));
  } finally {
    encodes.resolve();
  }
});

test("runs the shortest job first, but delays a long one only for a limited time", () => {
  const at = Date.UTC(2026, 10) / 1000;
  const first = (...jobs: [estimateS: number, laterS: number][]): number => {
    const priorities = jobs.map(([estimateS, laterS]) => planPriority(estimateS, at + laterS));
    return priorities.indexOf(Math.max(...priorities));
  };
  expect(first([360, 0], [5, 0])).toBe(1);
  expect(first([360, 0], [5, 600])).toBe(1);
  expect(first([360, 0], [5, 800])).toBe(0);
  expect(first([10, 0], [10, 1])).toBe(0);
});
