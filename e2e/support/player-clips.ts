import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Insertable } from "kysely";
import type { VideosTable } from "../../src/server/db/schema.ts";
import { newToken } from "../../src/server/lib/ids.ts";
import type { TestApp } from "../../test/app.ts";
import { makeVideo, type VideoLabels, type VideoRow } from "../../test/factories/make-video.ts";

const run = promisify(execFile);
const ffmpeg = process.env["FFMPEG_PATH"] ?? "ffmpeg";

/** Raised whenever the recipes below change. */
const version = 3;
const root = join(tmpdir(), `test-clips-of-player-${version}`);

const sourceOf = (size: string, durationS: number, hue: number) => [
  ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=30:duration=${durationS},hue=h=${hue}`],
  ...["-f", "lavfi", "-i", `sine=frequency=${300 + hue}:duration=${durationS}:sample_rate=48000`],
];
const encoding = [
  ...["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "60"],
  ...["-sc_threshold", "0", "-c:a", "aac", "-b:a", "64k"],
];

async function makeFile(folder: string, size: string, durationS: number, hue: number) {
  await run(ffmpeg, [
    ...["-v", "error", "-y", ...sourceOf(size, durationS, hue), ...encoding],
    ...["-crf", "30", "-movflags", "+faststart", join(folder, "play.mp4")],
  ]);
  const still = ["-v", "error", "-y", "-ss", "1", "-i", join(folder, "play.mp4"), "-frames:v", "1"];
  await run(ffmpeg, [...still, join(folder, "poster.jpg")]);
}

/** Two rungs and one audio group, single-file byte-range fMP4, as the media pipeline writes it. */
async function makeLadder(folder: string, durationS: number) {
  await run(
    ffmpeg,
    [
      ...["-v", "error", "-y", ...sourceOf("640x360", durationS, 120)],
      ...["-filter_complex", "[0:v]split[a][b];[b]scale=320:180[c]"],
      ...["-map", "[c]", "-map", "[a]", "-map", "1:a", ...encoding],
      ...["-b:v:0", "200k", "-b:v:1", "500k", "-f", "hls", "-hls_time", "2"],
      ...["-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"],
      ...["-hls_flags", "single_file+independent_segments", "-master_pl_name", "master.m3u8"],
      ...["-var_stream_map", "v:0,agroup:sound v:1,agroup:sound a:0,agroup:sound,default:yes"],
      join(folder, "rung%v.m3u8"),
    ],
    { cwd: folder },
  );
}

async function makeStoryboard(folder: string, durationS: number) {
  const filter = "fps=1/5,scale=160:90,tile=4x5";
  const input = ["-v", "error", "-y", "-i", join(folder, "play.mp4"), "-frames:v", "1"];
  await run(ffmpeg, [...input, "-vf", filter, join(folder, "sheet.jpg")]);
  const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  const cues = Array.from({ length: Math.ceil(durationS / 5) }, (_, index) => {
    const [x, y] = [(index % 4) * 160, Math.floor(index / 4) * 90];
    return `${stamp(index * 5)} --> ${stamp(index * 5 + 5)}\nsheet.jpg#xywh=${x},${y},160,90\n`;
  });
  await writeFile(join(folder, "storyboard.vtt"), `WEBVTT\n\n${cues.join("\n")}`);
}

export const clipNames = ["upright-0", "wide-0", "upright-1", "wide-1", "upright-2"] as const;
export type ClipName = (typeof clipNames)[number] | "long" | "longest";
export const longDurationS = 75;
/** Long enough for every mid-roll that is computed. */
export const longestDurationS = 190;
export const clipDurationS = 6;
const durations: Partial<Record<ClipName, number>> = {
  long: longDurationS,
  longest: longestDurationS,
};

/** Real files, made once per machine: clips, upright and wide, and a long one with its ladder. */
async function clipFolder(name: ClipName): Promise<string> {
  const folder = join(root, name);
  if (existsSync(folder)) return folder;
  const work = `${folder}.${newToken(6)}`;
  await mkdir(work, { recursive: true });
  if (name === "long") {
    await makeFile(work, "640x360", longDurationS, 120);
    await makeLadder(work, longDurationS);
    await makeStoryboard(work, longDurationS);
  } else {
    const hue = clipNames.findIndex((clip) => clip === name) * 70;
    const size = name.startsWith("upright") ? "270x480" : "480x270";
    await makeFile(work, size, durations[name] ?? clipDurationS, hue);
  }
  // Another test file may have made it meanwhile: the first one stays.
  await rename(work, folder).catch(() => rm(work, { recursive: true, force: true }));
  return folder;
}

/** Puts a video on the site: files in its storage, a row in its database. */
export async function addClip(
  app: TestApp,
  name: ClipName,
  values: Partial<Insertable<VideosTable>> = {},
  labels: VideoLabels = {},
): Promise<VideoRow> {
  const folder = await clipFolder(name);
  const token = newToken();
  const key = (file: string) => `v/${token}/${file}`;
  for (const file of await readdir(folder)) {
    await app.context.storage.putFile(key(file), join(folder, file));
  }
  await app.context.storage.putFile(key("small.mp4"), join(folder, "play.mp4"));
  const isLong = name === "long";
  const isUpright = name.startsWith("upright");
  return makeVideo(
    app.database.db,
    {
      media_token: token,
      progressive_key: key("play.mp4"),
      progressive_small_key: key("small.mp4"),
      poster_key: key("poster.jpg"),
      thumbnail_key: key("poster.jpg"),
      duration_s: durations[name] ?? clipDurationS,
      width: isLong ? 640 : isUpright ? 270 : 480,
      height: isLong ? 360 : isUpright ? 480 : 270,
      ...(isLong ? { hls_key: key("master.m3u8"), storyboard_key: key("storyboard.vtt") } : {}),
      ...values,
    },
    labels,
  );
}

/** Short clips, upright and wide in turn, each with a title of its own. */
export async function addShortClips(app: TestApp, count: number): Promise<VideoRow[]> {
  const rows: VideoRow[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = clipNames[index % clipNames.length] ?? "upright-0";
    rows.push(await addClip(app, name, { title: `Clip ${index}`, slug: `clip-${index}` }));
  }
  return rows;
}
