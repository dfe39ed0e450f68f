import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { useTestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { makeVideo, type VideoRow, changeVideo } from "#test/factories/make-video.ts";
import { aac, h264, picture, tone } from "#test/sample-videos.ts";
import type { JobName } from "#server/jobs/queue.ts";
import type { Media } from "#server/media/media.ts";
import { MediaProcessError } from "#server/media/run/media-process-error.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";

/** Six frames, because each is encoded in seven sizes. */
const durationS = 0.1;

let clip: string;
const app = useTestApp({ logLevel: "silent" });
beforeAll(async () => {
  clip = await encodeClip("4k-60.mp4", [
    ...[...picture("3840x2160", durationS, 60), ...tone(durationS), ...h264, ...aac],
  ]);
});
afterEach(() => vi.restoreAllMocks());

/**
 * Creates a playable video that has pictures but no ladder, like a 4K source that must be encoded.
 */
async function addVideo(): Promise<VideoRow> {
  const row = await makeVideo(app.db, {
    status: "ready",
    progress: 0,
    duration_s: durationS,
    width: 854,
    height: 480,
    ladder_crf: 26,
    poster_key: "v/poster.webp",
    preview_key: "v/preview.mp4",
  });
  const { key } = await app.context.storage.putFile(sourceKey(row.id), clip);
  await changeVideo(app.db, row.id, { source_key: key, progressive_key: "v/quick.mp4" });
  return row;
}

async function runJob({ id }: VideoRow, job: JobName = "video.finish"): Promise<void> {
  await app.runJob(job, { videoId: id });
}

async function readVideo({ id }: VideoRow) {
  return app.db.selectFrom("videos").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

async function listQueued({ id }: VideoRow) {
  const { rows } = await sql<{ name: string }>`
    select name from pgboss.job where data->>'videoId' = ${id}`.execute(app.db);
  return rows.map(({ name }) => name);
}

const readText = async (key: string | null): Promise<string> =>
  (await app.context.storage.readBytes(key ?? "", 1e6)).toString();
const sidesOf = (master: string): string[] =>
  [...master.matchAll(/RESOLUTION=(\d+x\d+)/g)].map(([, size]) => size ?? "");

test("makes a 4K source's ladder up to 1080 lines first, then 2160 and 1440 in a separate job", async () => {
  const video = await addVideo();
  await runJob(video);
  const early = await readVideo(video);
  const usual = ["854x480", "1920x1080", "1280x720", "640x360", "426x240"];
  expect(sidesOf(await readText(early.hls_key))).toEqual(usual);
  expect(early).toMatchObject({ width: 1920, height: 1080, status: "ready" });
  expect(early.progress).toBeLessThan(1);
  expect(early.storyboard_key).not.toBeNull();
  expect(await listQueued(video)).toEqual(["video.large"]);

  await runJob(video, "video.large");
  const row = await readVideo(video);
  expect(row).toMatchObject({ width: 3840, height: 2160, progress: 1, media_notices: [] });
  const master = await readText(row.hls_key);
  expect(row.hls_key).not.toBe(early.hls_key);
  // Players still start with the same rendition.
  expect(sidesOf(master)).toEqual([
    ...["854x480", "3840x2160", "2560x1440", "1920x1080", "1280x720", "640x360", "426x240"],
  ]);
  // A cached copy of the old playlist continues to work.
  expect(sidesOf(await readText(early.hls_key))).toEqual(usual);
  const large = master.split("\n").filter((line) => /3840x2160|2560x1440/.test(line));
  for (const line of large) {
    // High profile, level 5.1 or 5.2 for 2160 lines at 60 frames a second.
    expect(line).toMatch(/CODECS="avc1\.6400(33|34),mp4a\.40\.2"/);
    expect(line).toContain("FRAME-RATE=60.000");
    expect(line).toContain('AUDIO="sound"');
  }
  const folder = (row.hls_key ?? "").replace("large.m3u8", "");
  for (const [uri] of master.matchAll(/^\S+\.m3u8$/gm)) {
    expect(await readText(folder + uri)).toContain("#EXT-X-ENDLIST");
  }
  expect(row.stored_bytes).toBeGreaterThan(0);

  // A repeated job, as after a crash, reuses everything.
  const encode = vi.spyOn(app.context.media, "encodeRendition");
  await runJob(video);
  await runJob(video, "video.large");
  expect(encode).not.toHaveBeenCalled();
  expect((await readVideo(video)).hls_key).toBe(row.hls_key);
});

/** Creates a video that only lacks the large renditions. */
async function addLadder(): Promise<{ video: VideoRow; folder: string; hlsKey: string }> {
  const video = await addVideo();
  const folder = `${videoFolder(video.media_token)}step/hls/`;
  const hlsKey = `${folder}master.m3u8`;
  const master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv1080.m3u8\n";
  await app.context.storage.putBytes(hlsKey, master);
  await changeVideo(app.db, video.id, {
    hls_key: hlsKey,
    storyboard_key: "v/storyboard.vtt",
  });
  return { video, folder, hlsKey };
}

/** Writes the files of a rendition without encoding. */
const encodeNothing: Media["encodeRendition"] = async ({ workDir, shortSide }) => {
  const name = `v${shortSide}`;
  const path = join(workDir, name);
  await writeFile(path, "made");
  const file = { role: "hls_media", path, sizeBytes: 4, durationS, width: 1, height: 1 } as const;
  const size = { width: (shortSide * 16) / 9, height: shortSide, fps: { num: 60, den: 1 } };
  const rates = { codec: "avc1.640033", durationS, peakBps: 1, averageBps: 1 };
  return {
    files: ["mp4", "m3u8"].map((type) => ({ ...file, name: `hls/${name}.${type}` })),
    renditions: {
      variants: [{ ...size, ...rates, uri: `${name}.m3u8` }],
      sounds: [],
      notices: [],
      isPictureDamaged: false,
      isSoundDamaged: false,
    },
  };
};

test("completes an interrupted attempt, and leaves no files of earlier ones", async () => {
  const { video, folder } = await addLadder();
  const { media, storage } = app.context;
  const encode = vi.spyOn(media, "encodeRendition").mockImplementation(encodeNothing);
  const put = storage.putBytes.bind(storage);
  const lost = Object.assign(new Error("the connection is lost"), { code: "57P01" });
  vi.spyOn(storage, "putBytes")
    .mockRejectedValueOnce(lost)
    .mockImplementationOnce(async (...args) => {
      await put(...args);
      throw lost;
    });
  for (let n = 0; n < 2; n += 1) {
    await expect(runJob(video, "video.large")).rejects.toThrow("lost");
  }
  await runJob(video, "video.large");
  expect(encode).toHaveBeenCalledTimes(4);
  expect(await readVideo(video)).toMatchObject({
    hls_key: `${folder}large.m3u8`,
    width: 3840,
    height: 2160,
    progress: 1,
  });
  const master = await readText(`${folder}large.m3u8`);
  const files = ["large.m3u8", "master.m3u8"];
  for (const [playlist] of master.matchAll(/^large\/\S+\.m3u8$/gm)) {
    files.push(playlist, playlist.replace(/m3u8$/, "mp4"));
  }
  const stored: string[] = [];
  for await (const { key } of storage.list(folder)) stored.push(key.slice(folder.length));
  expect(stored.toSorted()).toEqual(files.toSorted());
  expect(stored.length).toBe(6);
});

test("reports a large rendition that fails, and keeps the ladder", async () => {
  const { video, hlsKey } = await addLadder();
  const { media } = app.context;
  const result = {
    exitCode: 1,
    signal: null,
    isOutOfCpuTime: false,
    killed: "memory" as const,
    stdout: Buffer.alloc(0),
    stderr: "",
    stderrLineCount: 0,
    usage: { cpuS: 1, peakRssBytes: 1, peakAddressBytes: 1, wallS: 1 },
  };
  vi.spyOn(media, "encodeRendition").mockRejectedValue(new MediaProcessError("ladder", result));
  await runJob(video, "video.large");
  const row = await readVideo(video);
  expect(row).toMatchObject({ status: "ready", progress: 1, hls_key: hlsKey });
  expect(row.media_notices).toEqual([
    "Couldn't encode the picture at 2160 lines.",
    "Couldn't encode the picture at 1440 lines.",
  ]);
});
