import { mkdtemp, readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { h264, picture, sampleVideos, tone } from "#test/sample-videos.ts";
import { AppError } from "#server/lib/app-error.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { probeFile } from "../probe/probe.ts";
import { MediaProcessError } from "../run/media-process-error.ts";
import { expectCompleteRun, runProcess, type ProcessRun } from "./process-run.fixture.ts";
import { processVideo, type StepName } from "./process-video.ts";
import type { PipelineContext } from "./pipeline-context.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

const secret = "Secret of the source";

/** Returns each frame's time minus its decode time in the first fragment (ISO 14496-12, 8.8.8). */
function readOffsets(bytes: Buffer): number[] {
  const at = bytes.indexOf("trun", 0, "latin1") + 4;
  const flags = bytes.readUIntBE(at + 1, 3);
  const sizeOf = (mask: number) =>
    [...(flags & mask).toString(2)].filter((bit) => bit === "1").length * 4;
  const entriesAt = at + 8 + sizeOf(0x5);
  const entrySize = sizeOf(0xf00);
  const count = bytes.readUInt32BE(at + 4);
  expect(flags & 0x800).not.toBe(0);
  return Array.from({ length: count }, (_, i) =>
    bytes.readInt32BE(entriesAt + i * entrySize + sizeOf(0x700)),
  );
}

describe("one complete run", () => {
  let run: ProcessRun;
  let source: string;
  beforeAll(async () => {
    source = await encodeClip("private.mp4", [
      ...[...picture("320x180", 5), ...tone(5), ...tone(5, 880), "-map", "0", "-map", "1"],
      ...["-map", "2", ...h264, "-c:a", "aac", "-metadata", `title=${secret}`],
      ...["-metadata", "location=+52.5+013.4/", "-metadata:s:v:0", `handler_name=${secret}`],
      ...["-movflags", "use_metadata_tags"],
    ]);
    run = await runProcess(at, source);
  });

  test("makes all outputs from a source with several audio tracks", () =>
    expectCompleteRun(at, run));

  test("starts picture and sound together in the HLS files", async () => {
    const media = run.all("hls_media");
    expect(media.map((file) => path.basename(file.name))).toEqual([
      ...["v180.mp4", "audio.mp4", "audio-2.mp4"],
    ]);
    for (const file of media) {
      const bytes = await readFile(file.path);
      expect(bytes.includes("elst", 0, "latin1")).toBe(false);
      const tfdt = bytes.indexOf("tfdt", 0, "latin1");
      const version = bytes[tfdt + 4];
      const start = version === 1 ? bytes.readBigUInt64BE(tfdt + 8) : bytes.readUInt32BE(tfdt + 8);
      expect(Number(start)).toBe(0);
    }
    const picture = await readFile(run.all("hls_media")[0]?.path ?? "");
    const [first, ...others] = readOffsets(picture);
    expect(first).toBe(0);
    // Negative because of B-frames. ffmpeg shifts all frames of the track for them, but browsers
    // don't.
    expect(Math.min(...others)).toBeLessThan(0);
  });

  test("copies no metadata of the source", async () => {
    expect((await readFile(source)).includes(secret)).toBe(true);
    const revealing: string[] = [];
    for (const file of run.files) {
      const bytes = await readFile(file.path);
      if (bytes.includes(secret) || bytes.includes("+52.5")) revealing.push(file.name);
    }
    expect(revealing).toEqual([]);
  });
});

/** Returns the real tools, except that one job fails. */
function withFailingRun(name: string, error: () => Error): PipelineContext {
  const { pipeline } = at.media;
  return {
    ...pipeline,
    tools: {
      ...pipeline.tools,
      ffmpeg: (job) => (job.name === name ? Promise.reject(error()) : pipeline.tools.ffmpeg(job)),
    },
  };
}

test("reports a failed ladder and preserves all earlier outputs", async () => {
  const run = await runProcess(
    at,
    await sampleVideos.fullChroma.make(),
    {},
    withFailingRun("ladder", () => new Error("out of luck")),
  );
  expect(run.steps).toEqual(["playable", "captions", "pictures", "extras"]);
  expect(run.result.problems).toMatchObject([{ step: "ladder", message: "out of luck" }]);
  expect(run.one("progressive").name).toBe("quick-180.mp4");
  expect(run.one("storyboard").sizeBytes).toBeGreaterThan(0);
});

test("replaces a failed copy with a rendition", async () => {
  const usage = { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 };
  const ending = { exitCode: 1, signal: null, killed: null, isOutOfCpuTime: false };
  const result = { ...ending, stdout: Buffer.alloc(0), stderr: "x", usage };
  const run = await runProcess(
    at,
    await sampleVideos.plain.make(),
    { done: new Set(["pictures", "ladder", "extras"]) },
    withFailingRun("copy", () => new MediaProcessError("copy", { ...result, stderrLineCount: 1 })),
  );
  expect(run.one("progressive").name).toBe("quick-180.mp4");
});

/** Returns the real tools and records the names of their runs. */
function recording(): { pipeline: PipelineContext; names: string[] } {
  const { pipeline } = at.media;
  const { tools } = pipeline;
  const names: string[] = [];
  return {
    names,
    pipeline: {
      ...pipeline,
      tools: {
        ffmpeg: (job) => (names.push(job.name), tools.ffmpeg(job)),
        ffprobe: (job) => (names.push(job.name), tools.ffprobe(job)),
      },
    },
  };
}

async function publish(source: string) {
  const { pipeline, names } = recording();
  const { tools, emptyDir: cwd } = pipeline;
  const facts = await probeFile({ tools, cwd, maxDurationS: 60 }, source);
  const probed = names.splice(0);
  const workDir = await mkdtemp(path.join(at.folder, "publish-"));
  const { needsEncode } = await processVideo(pipeline, {
    sourcePath: source,
    facts,
    workDir,
    loudness: null,
    normalizesLoudness: false,
    ladderCrf: null,
    hooks: noHooks,
    onlyCopies: true,
    done: new Set<StepName>(["captions", "pictures", "ladder", "extras"]),
  });
  return { probed, published: names, needsEncode };
}

test("publishes the usual upload with five runs of media tools", async () => {
  expect(await publish(await sampleVideos.plain.make())).toEqual({
    probed: ["probe", "probe"],
    published: ["scan", "copy", "check"],
    needsEncode: false,
  });
});

test("doesn't try to copy a source whose codec rules it out", async () => {
  expect(await publish(await sampleVideos.fullChroma.make())).toMatchObject({
    published: [],
    needsEncode: true,
  });
});

const none = async (): Promise<void> => undefined;
const noHooks = {
  onLoudness: none,
  onQuality: none,
  onPlayable: none,
  onCaptions: none,
  onPictures: none,
  onLadder: none,
  onExtras: none,
};

test("stops on a full disk with its own error", async () => {
  const full = new AppError("storage_full", "The storage is full.");
  const run = runProcess(
    at,
    await sampleVideos.plain.make(),
    { done: new Set(["playable", "pictures"]) },
    withFailingRun("ladder", () => full),
  );
  await expect(run).rejects.toBe(full);
});

test("stops on a failing hook with its own error", async () => {
  const broken = new Error("the database is away");
  const run = runProcess(at, await sampleVideos.plain.make(), {
    done: new Set(["playable"]),
    hooks: { ...noHooks, onPictures: () => Promise.reject(broken) },
  });
  await expect(run).rejects.toBe(broken);
});

test("stops the tool on an abort and rejects with its reason", async () => {
  const source = await encodeClip("abort.mp4", [...picture("320x180", 60), ...h264]);
  const abort = new AbortController();
  const reason = new Error("the server stops");
  const seen: StepName[] = [];
  const run = runProcess(at, source, {
    signal: abort.signal,
    done: new Set(["playable", "pictures"]),
    hooks: {
      ...noHooks,
      onProgress(_, step) {
        seen.push(step);
        // The encoder is running by then.
        if (step === "ladder") setTimeout(() => abort.abort(reason), 100);
      },
    },
  });
  await expect(run).rejects.toBe(reason);
  expect(seen).not.toContain("extras");
});

/** Returns the process ids of media tools working in a folder. */
async function findTools(folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      const [program = ""] = line.split("\0");
      return path.basename(program) === "ffmpeg" && line.includes(folder) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

test.each(["SIGKILL", "SIGTERM"])(
  "doesn't blame the file for a tool that gets %s",
  async (signal) => {
    const source = await encodeClip("abort.mp4", [...picture("320x180", 60), ...h264]);
    let isOver = false;
    const killing: Promise<void>[] = [];
    // If a tool ends in the meantime, it is missed and the next one is killed.
    const killTools = async (): Promise<void> => {
      while (!isOver) {
        for (const pid of await findTools(source)) {
          try {
            process.kill(pid, signal);
          } catch {
            continue;
          }
        }
        await wait(20);
      }
    };
    const run = runProcess(at, source, {
      done: new Set(["playable", "pictures", "extras"]),
      hooks: {
        ...noHooks,
        onProgress() {
          if (killing.length === 0) killing.push(killTools());
        },
      },
    });
    await expect(run).rejects.toMatchObject({ code: "unavailable", name: "InterruptedError" });
    isOver = true;
    await Promise.all(killing);
  },
);
