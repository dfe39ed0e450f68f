import { mkdtempSync } from "node:fs";
import { chmod, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { posix } from "node:path";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { useTestApp } from "#test/app.ts";
import { makeVideo, changeVideo, readVideo } from "#test/factories/make-video.ts";
import { plain, sampleVideos } from "#test/sample-videos.ts";
import type { JobName } from "#server/jobs/queue.ts";
import { sourceKey } from "#server/storage/media-keys.ts";

const realTool = () => inject("toolReport")?.paths.ffmpeg ?? "ffmpeg";

// Outside the folder of the run, which processes in the sandbox can't read.
const folder = mkdtempSync(join(tmpdir(), "kinora-fault-tool-"));
const tool = join(folder, "ffmpeg");
beforeAll(async () => {
  await chmod(folder, 0o755);
  await fail(null);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const app = useTestApp({ logLevel: "silent", ffmpegPath: tool });

/** Makes ffmpeg fail with a message if its arguments contain a text. Null removes the fault. */
async function fail(where: { argument: string; message: string } | null): Promise<void> {
  const fault =
    where === null
      ? ""
      : `case "$*" in *${where.argument}*) echo "${where.message}" >&2; exit 1;; esac\n`;
  await writeFile(tool, `#!/bin/sh\n${fault}exec ${realTool()} "$@"\n`);
  await chmod(tool, 0o755);
}

async function addVideo(source: string): Promise<string> {
  const { id } = await makeVideo(app.db, {
    status: "processing",
    progress: 0,
    progressive_key: null,
    thumbnail_key: null,
  });
  await app.context.storage.putFile(sourceKey(id), source);
  await changeVideo(app.db, id, { source_key: sourceKey(id) });
  return id;
}

async function runJob(name: JobName, videoId: string): Promise<void> {
  await app.runJob(name, { videoId });
}

const readRow = (id: string) => readVideo(app.db, id);

/** Expects that every segment in a ladder's playlists lies within its file. */
async function expectWholeLadder(hlsKey: string | null): Promise<void> {
  const { storage } = app.context;
  const master = (await storage.readBytes(hlsKey ?? "", 400_000)).toString();
  const uris = master.split("\n").filter((line) => line.endsWith(".m3u8"));
  expect(uris.length).toBeGreaterThan(0);
  for (const uri of uris) {
    const key = posix.join(posix.dirname(hlsKey ?? ""), uri);
    const text = (await storage.readBytes(key, 400_000)).toString();
    const ranges = Array.from(text.matchAll(/BYTERANGE:"?(\d+)@(\d+)/g), ([, length, at]) =>
      [Number(length), Number(at)].reduce((sum, part) => sum + part),
    );
    const { sizeBytes } = await storage.getStat(key.replace(/\.m3u8$/, ".mp4"));
    expect(ranges.length).toBeGreaterThan(0);
    expect(Math.max(...ranges)).toBe(sizeBytes);
  }
}

/** Part of the arguments of each ffmpeg run, and the job that starts the run. */
const steps = [
  ["play.mp4", "video.publish"],
  ["quick-", "video.encode"],
  ["poster", "video.encode"],
  ["preview", "video.encode"],
  ["crf", "video.finish"],
  ["m3u8", "video.finish"],
  ["small", "video.finish"],
  ["storyboard", "video.finish"],
] as const satisfies readonly (readonly [string, JobName])[];

/** Faults that `media-cause.test.ts` tells apart. Each step gets another one. */
const messages = [
  "pthread_create() failed: Resource temporarily unavailable",
  "file:/source: Permission denied",
  "Error opening output files: Cannot allocate memory",
  "av_interleaved_write_frame(): No space left on device",
  "Too many open files",
];

it.each([
  ["is copied", plain],
  ["is encoded", sampleVideos.oddSize.make],
])(
  "completes a video that %s although every step fails once",
  { timeout: 600_000 },
  async (_name, makeSource) => {
    const id = await addVideo(await makeSource());
    const waitedFor: (string | null)[] = [];
    for (const [index, [argument, job]] of steps.entries()) {
      await fail({ argument, message: messages[index % messages.length] ?? "" });
      await runJob(job, id);
      const { status, failures, failure_reason: reason } = await readRow(id);
      expect([argument, status === "failed", failures]).toEqual([argument, false, 0]);
      waitedFor.push(reason);
      // The current step succeeds before the next one fails.
      await fail(null);
      if (job !== "video.finish") await runJob(job, id);
    }
    expect(waitedFor.filter((reason) => reason !== null).length).toBeGreaterThan(2);
    await runJob("video.publish", id);
    await runJob("video.encode", id);
    await runJob("video.finish", id);
    const row = await readRow(id);
    expect(row).toMatchObject({
      status: "ready",
      progress: 1,
      failures: 0,
      failure_reason: null,
      media_notices: [],
    });
    await expectWholeLadder(row.hls_key);
  },
);
