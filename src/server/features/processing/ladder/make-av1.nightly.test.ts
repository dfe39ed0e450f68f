import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { useTestApp, useClient } from "#test/app.ts";
import { encodeClip, hasEncoder } from "#test/clip-cache.ts";
import { makeVideo, type VideoRow, changeVideo } from "#test/factories/make-video.ts";
import { aac, h264, hdrClip, picture, tone } from "#test/sample-videos.ts";
import type { JobName } from "#server/jobs/queue.ts";
import type { RenditionOutput } from "#server/media/pipeline/ladder.step.ts";
import { MediaProcessError } from "#server/media/run/media-process-error.ts";
import { newToken } from "#server/lib/ids.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";

const canEncode = await hasEncoder("libsvtav1");

const app = useTestApp({ logLevel: "silent" });
const admin = useClient(app);

/** Longer than videos that play from a single file, with as few frames as possible. */
const durationS = 61;
/** The lowest frame rate of a rendition. */
const rate = 5;
const frames = durationS * rate;

const clips = {
  plain: () =>
    encodeClip("efficient-small.mp4", [
      ...[...picture("160x90", durationS, rate), ...tone(durationS), ...h264, ...aac],
    ]),
  hdr: () => hdrClip(durationS, rate),
};

/** Uploads and processes a video, except for AV1. */
async function processVideo(kind: keyof typeof clips): Promise<VideoRow> {
  const video = await makeVideo(app.db, {
    status: "processing",
    progress: 0,
    progressive_key: null,
    thumbnail_key: null,
  });
  const { key } = await app.context.storage.putFile(sourceKey(video.id), await clips[kind]());
  await app.db
    .updateTable("videos")
    // Better quality than a trial would choose, so that the difference is large.
    .set({ source_key: key, ladder_crf: 18 })
    .where("id", "=", video.id)
    .execute();
  await runJobs(video, "video.publish", "video.encode", "video.finish");
  return video;
}

const processed = new Map<string, Promise<VideoRow>>();

/** Creates a processed video with copies of the files of one that all tests share. */
async function addVideo(kind: keyof typeof clips = "plain"): Promise<VideoRow> {
  const { storage } = app.context;
  const shared = processed.get(kind) ?? processVideo(kind);
  processed.set(kind, shared);
  const from = await readVideo(await shared);
  const token = newToken();
  const rename = (key: string | null) => key?.replace(from.media_token, token) ?? null;
  for await (const { key } of storage.list(videoFolder(from.media_token))) {
    await storage.putBytes(rename(key) ?? "", await storage.readBytes(key, 1e7));
  }
  const video = await makeVideo(app.db, {
    ...{ media_token: token, progress: 1, ladder_crf: 18, stored_bytes: from.stored_bytes },
    ...{ duration_s: from.duration_s, width: from.width, height: from.height },
    media_notices: from.media_notices,
    hls_key: rename(from.hls_key),
    progressive_key: rename(from.progressive_key),
    poster_key: rename(from.poster_key),
    preview_key: rename(from.preview_key),
    storyboard_key: rename(from.storyboard_key),
    thumbnail_key: rename(from.thumbnail_key),
  });
  const { key } = await storage.putFile(sourceKey(video.id), await clips[kind]());
  await changeVideo(app.db, video.id, { source_key: key });
  return video;
}

async function runJobs({ id }: VideoRow, ...names: JobName[]): Promise<void> {
  for (const name of names) {
    await app.runJob(name, { videoId: id });
  }
}

async function readVideo({ id }: VideoRow) {
  return app.db.selectFrom("videos").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

async function setCrf({ id }: VideoRow, crf: number): Promise<void> {
  await changeVideo(app.db, id, { ladder_crf: crf });
}

async function setMode(efficientRenditions: "off" | "idle"): Promise<void> {
  const saved = await admin.call("POST", "/api/settings", { efficientRenditions });
  expect([saved.status, saved.json.efficientRenditions]).toEqual([200, efficientRenditions]);
}

async function countQueued({ id }: VideoRow): Promise<number> {
  const { rows } = await sql`
    select id from pgboss.job where name = 'video.efficient' and data->>'videoId' = ${id}`.execute(
    app.db,
  );
  return rows.length;
}

const readText = async (key: string | null): Promise<string> =>
  (await app.context.storage.readBytes(key ?? "", 1e6)).toString();

/** Returns what a decoder reports about a stored rendition. */
const decode = (key: string) =>
  app.context.storage.withLocalFile(key, async (file) => {
    const { stdout } = await promisify(execFile)(app.context.media.report.paths.ffprobe, [
      ...["-v", "error", "-count_frames", "-show_entries", "stream"],
      ...["-of", "json", file],
    ]);
    const [stream] = JSON.parse(stdout).streams;
    return {
      codec: stream.codec_name,
      frames: Number(stream.nb_read_frames),
      pixels: stream.pix_fmt,
      colors: [stream.color_transfer, stream.color_primaries, stream.color_space],
    };
  });

test("makes no AV1 renditions without the setting", async () => {
  await setMode("off");
  const video = await processVideo("plain");
  processed.set("plain", Promise.resolve(video));
  expect(await countQueued(video)).toBe(0);
  await runJobs(video, "video.efficient");
  expect(await readVideo(video)).toMatchObject({
    ...{ status: "ready", progress: 1, hls_key: expect.stringMatching(/\/master\.m3u8$/) },
  });
});

test("requests AV1 renditions after processing if the settings ask for them", async () => {
  await setMode("idle");
  const video = await addVideo();
  await runJobs(video, "video.finish");
  expect(await countQueued(video)).toBe(1);
});

/** The only AV1 rendition of the plain video. */
let made: RenditionOutput | null = null;

test.skipIf(!canEncode)("makes AV1 versions of all renditions of a complete video", async () => {
  await setMode("idle");
  const video = await addVideo();
  const before = await readVideo(video);
  await setCrf(video, 28);

  // The job dies after it has stored the playlist.
  const { media, storage } = app.context;
  const put = storage.putBytes.bind(storage);
  vi.spyOn(storage, "putBytes").mockImplementationOnce(async (...args) => {
    await put(...args);
    throw Object.assign(new Error("the connection is lost"), { code: "57P01" });
  });
  const encode = vi.spyOn(media, "encodeRendition");
  await expect(runJobs(video, "video.efficient")).rejects.toThrow("lost");
  expect((await readVideo(video)).hls_key).toBe(before.hls_key);
  made = (await encode.mock.results[0]?.value) ?? null;

  encode.mockClear();
  await runJobs(video, "video.efficient");
  expect(encode).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  const row = await readVideo(video);
  expect(row.media_notices).toEqual([]);
  expect(row.hls_key).toBe(before.hls_key?.replace("master.m3u8", "efficient.m3u8"));
  const master = await readText(row.hls_key);
  expect(master).toContain(await readText(before.hls_key));
  const [, codec = "", uri = ""] =
    /CODECS="(av01[^,]+),mp4a\.40\.2",RESOLUTION=160x90.*\n(av1\/\S+)$/m.exec(master) ?? [];
  expect(codec).toMatch(/^av01\.0\.\d\dM\.08$/);
  const folder = (row.hls_key ?? "").replace("efficient.m3u8", "");
  const playlist = await readText(folder + uri);
  const spans = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
  expect(spans).toEqual(Array.from({ length: 31 }, (_, at) => (at < 30 ? 2 : 1)));
  expect(await decode(folder + uri.replace(".m3u8", ".mp4"))).toEqual({
    codec: "av1",
    frames,
    pixels: "yuv420p",
    colors: ["smpte170m", "smpte170m", "smpte170m"],
  });

  const { files } = (await admin.call("GET", `/api/admin/videos/${video.id}/files`)).json;
  const sizeOf = (kind: string): number =>
    files.find((file: { kind: string }) => file.kind === kind)?.sizeBytes ?? 0;
  expect(sizeOf("efficient")).toBeGreaterThan(0);
  expect(sizeOf("efficient")).toBeLessThan(sizeOf("rendition") * 0.85);
  expect(row.stored_bytes).toBeGreaterThan(before.stored_bytes + sizeOf("efficient"));

  // A repeated job changes nothing.
  await runJobs(video, "video.efficient");
  expect((await readVideo(video)).hls_key).toBe(row.hls_key);
});

test.skipIf(!canEncode)("starts over with new files that arrive while it works", async () => {
  await setMode("idle");
  const video = await addVideo();
  const { media } = app.context;
  vi.spyOn(media, "encodeRendition").mockImplementation(async () => {
    await changeVideo(app.db, video.id, {
      hls_key: `${videoFolder(video.media_token)}new/hls/master.m3u8`,
    });
    throw new Error("the old files are gone");
  });
  await runJobs(video, "video.efficient");
  vi.restoreAllMocks();
  expect(await countQueued(video)).toBe(1);
  expect((await readVideo(video)).media_notices).toEqual([]);
});

test.skipIf(!canEncode)(
  "skips those that save little or have no original, with the reason",
  async () => {
    await setMode("idle");
    const large = await addVideo();
    const { hls_key: hlsKey } = await readVideo(large);
    // Pretends that the H.264 ladder has a tenth of its size.
    const playlist = (hlsKey ?? "").replace("master", "v90");
    const thin = (await readText(playlist)).replaceAll(/(BYTERANGE:\d+)\d@/g, "$1@");
    await app.context.storage.putBytes(playlist, thin);
    if (made === null) expect.fail("run the whole file, because tests share an encode");
    vi.spyOn(app.context.media, "encodeRendition").mockResolvedValueOnce(made);
    await runJobs(large, "video.efficient");
    expect(await readVideo(large)).toMatchObject({
      hls_key: hlsKey,
      status: "ready",
      progress: 1,
      media_notices: ["No AV1 renditions: they would hardly be smaller."],
    });

    const gone = await addVideo();
    await app.context.storage.delete(sourceKey(gone.id));
    await runJobs(gone, "video.efficient");
    expect((await readVideo(gone)).media_notices).toEqual([
      "No AV1 renditions: the original is gone.",
    ]);
  },
);

const hdrVariant =
  /CODECS="(av01[^,]+),mp4a\.40\.2",RESOLUTION=160x90,FRAME-RATE=5\.000,VIDEO-RANGE=PQ,.*\n(av1\/hdr\/\S+)$/m;

test.skipIf(!canEncode)("preserves the dynamic range of an HDR source", async () => {
  await setMode("idle");
  const video = await addVideo("hdr");
  // Pretends that there is a rendition above 1080 lines, which must stay.
  const { hls_key: ladderKey } = await readVideo(video);
  const large = `${await readText(ladderKey)}#EXT-X-STREAM-INF:BANDWIDTH=9\nv90.m3u8\n`;
  const largeKey = (ladderKey ?? "").replace("master.m3u8", "large.m3u8");
  await app.context.storage.putBytes(largeKey, large);
  await runJobs(video, "video.efficient");
  const row = await readVideo(video);
  expect(row.hls_key).toMatch(/\/efficient\.m3u8$/);
  const master = await readText(row.hls_key);
  expect(master).toContain(large);
  const [, codec = "", uri = ""] = hdrVariant.exec(master) ?? [];
  expect(codec).toMatch(/^av01\.0\.\d\dM\.10$/);
  const key = (row.hls_key ?? "").replace("efficient.m3u8", uri.replace(".m3u8", ".mp4"));
  expect(await decode(key)).toEqual({
    codec: "av1",
    frames,
    pixels: "yuv420p10le",
    colors: ["smpte2084", "bt2020", "bt2020nc"],
  });
  const { files } = (await admin.call("GET", `/api/admin/videos/${video.id}/files`)).json;
  expect(files).toContainEqual({
    kind: "hdr",
    height: 90,
    sizeBytes: (await app.context.storage.findStat(key))?.sizeBytes,
  });
});

test.skipIf(!canEncode)("changes nothing when an HDR encode fails", async () => {
  await setMode("idle");
  const video = await addVideo("hdr");
  const before = await readVideo(video);
  // A large difference, so that AV1 is worth it.
  await setCrf(video, 28);
  const { media } = app.context;
  const { encodeRendition } = media;
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
  vi.spyOn(media, "encodeRendition").mockImplementation((job) =>
    job.isHdr === true
      ? Promise.reject(new MediaProcessError("ladder", result))
      : encodeRendition(job),
  );
  await runJobs(video, "video.efficient");
  vi.restoreAllMocks();
  const row = await readVideo(video);
  expect(row).toMatchObject({ status: "ready", progress: 1 });
  expect(row.media_notices).toEqual([
    ...before.media_notices,
    "No HDR renditions: couldn't encode the picture.",
  ]);
  const master = await readText(row.hls_key);
  expect(master).toContain(await readText(before.hls_key));
  expect(master).toMatch(/^av1\//m);
  expect(master).not.toContain("VIDEO-RANGE");
});
