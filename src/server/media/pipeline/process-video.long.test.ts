import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AppError } from "../../lib/app-error.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { MediaProcessError } from "../run/media-process-error.ts";
import { hasCorpusVideos, corpusPath } from "../corpus-videos.fixture.ts";
import { processVideo, type ProcessJob, type StageName } from "./process-video.ts";
import type { MediaFile, MediaRole } from "./media-file.ts";
import { readPixels, readStreams } from "./read-streams.fixture.ts";
import type { Workshop } from "./work-directory.ts";

// Real encoding, at low priority: on a busy machine it waits for everything else.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

let runs = 0;
/** Processes a file and keeps everything that the hooks were given. */
async function run(
  source: string,
  change: Partial<ProcessJob> = {},
  workshop: Workshop = at.media.workshop,
) {
  const facts = await at.media.probe(source);
  const files: MediaFile[] = [];
  const stages: StageName[] = [];
  const progress: number[] = [];
  const take = (stage: StageName) => async (output: { files: MediaFile[] }) => {
    stages.push(stage);
    files.push(...output.files);
  };
  runs += 1;
  const result = await processVideo(workshop, {
    sourcePath: source,
    facts,
    workDir: path.join(at.folder, `run-${runs}`),
    hooks: {
      onPlayable: take("playable"),
      onPictures: take("pictures"),
      onLadder: take("ladder"),
      onExtras: take("extras"),
      onProgress: (value) => progress.push(value),
    },
    ...change,
  });
  const all = (role: MediaRole): MediaFile[] => files.filter((file) => file.role === role);
  const one = (role: MediaRole): MediaFile => {
    const [file] = all(role);
    if (file === undefined) throw new Error(`no ${role}`);
    return file;
  };
  return { facts, files, stages, progress, result, all, one };
}

/** Average difference of two pictures, 0 to 255. */
async function compareFrames(a: string, b: string, atS: number): Promise<number> {
  const size = { width: 16, height: 16 };
  const [first, second] = await Promise.all([
    readPixels(at.media, a, atS, size),
    readPixels(at.media, b, atS, size),
  ]);
  let sum = 0;
  for (let i = 0; i < 256; i += 1) {
    const [x, y] = [i % 16, Math.floor(i / 16)];
    const other = second(x, y);
    sum += first(x, y).reduce((total, value, k) => total + Math.abs(value - (other[k] ?? 0)), 0);
  }
  return sum / (256 * 3);
}

async function expectSoundRenditions(made: Awaited<ReturnType<typeof run>>): Promise<void> {
  expect(made.result.problems).toEqual([]);
  expect(made.stages).toEqual(["playable", "pictures", "ladder", "extras"]);
  expect(made.progress).toEqual(made.progress.toSorted((a, b) => a - b));
  expect(made.progress.at(-1)).toBe(1);
  for (const media of [...made.all("hls_media"), made.one("progressive_small")]) {
    if (media.width === null) continue;
    const { video } = await readStreams(at.media, media.path);
    expect(video).toMatchObject({
      codec_name: "h264",
      pix_fmt: "yuv420p",
      width: media.width,
      height: media.height,
      sample_aspect_ratio: "1:1",
      side_data_list: [],
    });
  }
  const { audio } = await readStreams(at.media, made.one("progressive_small").path);
  expect(audio === null).toBe(made.facts.audio === null);
  const master = await readFile(made.one("hls_master").path, "utf8");
  const named = [...master.matchAll(/^(\S+\.m3u8)$|URI="([^"]+)"/gm)].map(([, a, b]) => a ?? b);
  const stored = made.all("hls_playlist").map((file) => path.basename(file.name));
  expect(named.toSorted()).toEqual(stored.toSorted());
  expect(master.includes("AUDIO=")).toBe(made.facts.audio !== null);
}

describe.skipIf(!hasCorpusVideos)("real files of the corpus", () => {
  test("a turned phone video comes out upright in four rungs", async () => {
    const source = corpusPath("rotate-buck-bunny.mp4");
    const made = await run(source);
    await expectSoundRenditions(made);
    const rungs = made.all("hls_media").filter((file) => file.width !== null);
    expect(rungs.map((file) => `${file.width}x${file.height}`)).toEqual([
      ...["1080x1920", "720x1280", "480x854", "360x640"],
    ]);
    for (const file of [made.one("progressive"), made.one("progressive_small"), rungs[0]]) {
      expect(await compareFrames(source, file?.path ?? "", 1.48)).toBeLessThan(6);
    }
    expect(made.one("poster")).toMatchObject({ width: 720, height: 1280 });
    expect(made.one("thumbnail")).toMatchObject({ width: 360, height: 640 });
    expect(made.one("preview")).toMatchObject({ width: 180, height: 320 });
  });

  test.each([
    ["HDR", "sample_with_av1c.mp4", "720x1280", 200],
    ["interlaced, oblong pixels", "gen_interlaced.mov", "768x576", 12],
    ["odd size, no sound", "bear-vp9-odd-dimensions.webm", "160x120", 6],
    ["one frame, oblong pixels", "h264_white_frame_sar_16_9.mp4", "1138x480", 3],
    ["one frame", "gen_oneframe.mp4", "320x240", 3],
    ["4:4:4", "gen_444.mp4", "320x240", 6],
    ["transparency", "gen_alpha_vp9.webm", "320x240", 6],
    ["several sound tracks", "gen_multiaudio.mp4", "320x240", 6],
    ["matrix of zeros, damaged packets", "no_timescale.mp4", "320x240", 12],
  ])("%s (%s)", async (_, name, size, difference) => {
    const source = corpusPath(name);
    const made = await run(source);
    await expectSoundRenditions(made);
    const [top] = made.all("hls_media");
    expect(`${top?.width}x${top?.height}`).toBe(size);
    expect(await compareFrames(source, top?.path ?? "", 0)).toBeLessThan(difference);
  });

  test("a source without keyframes gets renditions with them, and a storyboard", async () => {
    const made = await run(corpusPath("gen_longgop.mp4"));
    await expectSoundRenditions(made);
    const playlist = await readFile(made.all("hls_playlist")[0]?.path ?? "", "utf8");
    const lengths = [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, s]) => Number(s));
    expect(lengths).toHaveLength(30);
    for (const length of lengths) expect(length).toBeCloseTo(2, 1);
    // A clock runs in the picture: every tile shows another moment.
    const [sheet] = made.all("storyboard_sheet");
    expect(sheet).toMatchObject({ width: 1600, height: 270 });
    const vtt = await readFile(made.one("storyboard").path, "utf8");
    expect(vtt.match(/#xywh=/g)).toHaveLength(30);
    const pixels = await readPixels(at.media, sheet?.path ?? "", 0, { width: 1600, height: 270 });
    const tile = (i: number): string => {
      const [x0, y0] = [(i % 10) * 160, Math.floor(i / 10) * 90];
      const samples = Array.from({ length: 400 }, (_, k) =>
        pixels(x0 + 8 * (k % 20), y0 + 4 * Math.floor(k / 20)),
      );
      return samples.flat().join();
    };
    expect(new Set(Array.from({ length: 30 }, (_, i) => tile(i))).size).toBe(30);
  });
});

/** A second or two of moving picture, small enough to be quick. */
const tiny = (name: string, seconds: number, extra: string[] = []) =>
  at.makeClip(name, [
    ...["-f", "lavfi", "-i", `testsrc2=s=320x180:r=25:d=${seconds}`],
    ...["-f", "lavfi", "-i", `sine=f=440:d=${seconds}`, "-pix_fmt", "yuv420p"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", ...extra],
  ]);

test("an uneven source becomes even, and keeps its length", async () => {
  const source = await at.makeClip("uneven.mp4", [
    ...["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=4"],
    ...["-vf", "select='not(between(t,1,2))*gte(random(1),0.3)'", "-fps_mode", "vfr"],
    ...["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast"],
  ]);
  const made = await run(source);
  await expectSoundRenditions(made);
  const { video, durationS } = await readStreams(at.media, made.one("progressive_small").path);
  expect(video.avg_frame_rate).toBe(video.r_frame_rate);
  expect(durationS).toBeCloseTo(made.facts.durationS, 0);
});

test("sound that goes on after the picture holds the last frame", async () => {
  const source = await at.makeClip("still.mp4", [
    ...["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.04"],
    ...["-f", "lavfi", "-i", "sine=f=440:d=5", "-pix_fmt", "yuv420p"],
    ...["-c:v", "libx264", "-c:a", "aac"],
  ]);
  const made = await run(source);
  await expectSoundRenditions(made);
  const { video, audio } = await readStreams(at.media, made.one("progressive_small").path);
  expect(video.duration).toBeCloseTo(5, 0);
  expect(audio?.duration).toBeCloseTo(5, 0);
});

test("picture and sound start together in the HLS files", async () => {
  const made = await run(await tiny("start.mp4", 5));
  const media = made.all("hls_media");
  expect(media.map((file) => path.basename(file.name))).toEqual(["v180.mp4", "audio.mp4"]);
  for (const file of media) {
    const bytes = await readFile(file.path);
    expect(bytes.includes("elst", 0, "latin1")).toBe(false);
    const tfdt = bytes.indexOf("tfdt", 0, "latin1");
    const version = bytes[tfdt + 4];
    const start = version === 1 ? bytes.readBigUInt64BE(tfdt + 8) : bytes.readUInt32BE(tfdt + 8);
    expect(Number(start)).toBe(0);
  }
});

test("metadata of the source goes nowhere", async () => {
  const secret = "Somebody in Somewhere";
  const source = await tiny("private.mp4", 1, [
    ...["-metadata", `title=${secret}`, "-metadata", `location=+52.5+013.4/`],
    ...["-metadata:s:v:0", `handler_name=${secret}`, "-movflags", "use_metadata_tags"],
  ]);
  expect((await readFile(source)).includes(secret)).toBe(true);
  const made = await run(source);
  const telling: string[] = [];
  for (const file of made.files) {
    const bytes = await readFile(file.path);
    if (bytes.includes("Somebody") || bytes.includes("+52.5")) telling.push(file.name);
  }
  expect(telling).toEqual([]);
});

/** The real tools, but one job fails. */
function failingAt(name: string, error: () => Error): Workshop {
  const { workshop } = at.media;
  return {
    ...workshop,
    tools: {
      ...workshop.tools,
      ffmpeg: (job) => (job.name === name ? Promise.reject(error()) : workshop.tools.ffmpeg(job)),
    },
  };
}

test("a ladder that fails loses nothing that was made before, and says so", async () => {
  const source = await tiny("no-ladder.mp4", 1, ["-pix_fmt", "yuv444p"]);
  const made = await run(
    source,
    {},
    failingAt("ladder", () => new Error("out of luck")),
  );
  expect(made.stages).toEqual(["playable", "pictures", "extras"]);
  expect(made.result.problems).toMatchObject([{ stage: "ladder", message: "out of luck" }]);
  expect(made.one("progressive").name).toBe("quick-180.mp4");
  expect(made.one("storyboard").sizeBytes).toBeGreaterThan(0);
});

test("a copy that fails is followed by a rendition", async () => {
  const usage = { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 };
  const result = { exitCode: 1, killed: null, stdout: Buffer.alloc(0), stderr: "x", usage };
  const made = await run(
    await tiny("no-copy.mp4", 1),
    { done: new Set(["pictures", "ladder", "extras"]) },
    failingAt("copy", () => new MediaProcessError("copy", { ...result, stderrLineCount: 1 })),
  );
  expect(made.one("progressive").name).toBe("quick-180.mp4");
});

test("a full disk and a failing hook stop everything, as themselves", async () => {
  const source = await tiny("stop.mp4", 1);
  const full = new AppError("storage_full", "The storage is full.");
  await expect(
    run(
      source,
      {},
      failingAt("ladder", () => full),
    ),
  ).rejects.toBe(full);
  const broken = new Error("the database is away");
  const none = async (): Promise<void> => undefined;
  await expect(
    run(source, {
      hooks: {
        onPlayable: none,
        onPictures: () => Promise.reject(broken),
        onLadder: none,
        onExtras: none,
      },
    }),
  ).rejects.toBe(broken);
});

test("an abort in the middle stops the tool and rejects with its reason", async () => {
  const source = await tiny("abort.mp4", 20);
  const abort = new AbortController();
  const reason = new Error("the server stops");
  const seen: StageName[] = [];
  const none = async (): Promise<void> => undefined;
  await expect(
    run(source, {
      signal: abort.signal,
      hooks: {
        onPlayable: none,
        onPictures: none,
        onLadder: none,
        onExtras: none,
        onProgress(_, stage) {
          seen.push(stage);
          if (stage === "ladder") abort.abort(reason);
        },
      },
    }),
  ).rejects.toBe(reason);
  expect(seen).not.toContain("extras");
});

test("a second run makes what is missing, from what was stored", async () => {
  const source = await tiny("resume.mp4", 2);
  const first = await run(source);
  const fetched: string[] = [];
  const second = await run(source, {
    done: new Set(["playable", "pictures", "ladder"]),
    async fetchStored(name, localPath) {
      fetched.push(name);
      const stored = first.files.find((file) => file.name === name);
      await copyFile(stored?.path ?? "", localPath);
    },
  });
  expect(second.stages).toEqual(["extras"]);
  expect(fetched).toEqual(["hls/v180.mp4", "hls/audio.mp4"]);
  const names = (files: MediaFile[]): string[] => files.map((file) => file.name);
  expect(names(first.files)).toEqual(expect.arrayContaining(names(second.files)));
  expect(await readFile(second.one("progressive_small").path)).toEqual(
    await readFile(first.one("progressive_small").path),
  );
});
