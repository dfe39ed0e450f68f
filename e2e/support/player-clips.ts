import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Insertable } from "kysely";
import type { VideosTable } from "#server/db/schema.ts";
import { newToken } from "#server/lib/ids.ts";
import type { TestApp } from "#test/app.ts";
import { cacheFolder, runFfmpeg } from "#test/clip-cache.ts";
import { makeVideo, type VideoLabels, type VideoRow } from "#test/factories/make-video.ts";

const sourceOf = (size: string, durationS: number, hue: number): string[] => [
  ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=30:duration=${durationS},hue=h=${hue}`],
  ...["-f", "lavfi", "-i", `sine=frequency=${300 + hue}:duration=${durationS}:sample_rate=48000`],
];
const encoding = [
  ...["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "60"],
  ...["-sc_threshold", "0", "-c:a", "aac", "-b:a", "64k"],
];

const playAndPoster = (size: string, durationS: number, hue: number): string[][] => [
  [
    ...sourceOf(size, durationS, hue),
    ...encoding,
    "-crf",
    "30",
    "-movflags",
    "+faststart",
    "play.mp4",
  ],
  ["-ss", "1", "-i", "play.mp4", "-frames:v", "1", "poster.jpg"],
];

/**
 * Returns ffmpeg arguments for two renditions and one audio group in single-file byte-range fMP4,
 * like the output of the media pipeline.
 */
const ladder = (durationS: number): string[] => [
  ...sourceOf("640x360", durationS, 120),
  ...["-filter_complex", "[0:v]split[a][b];[b]scale=320:180[c]"],
  ...["-map", "[c]", "-map", "[a]", "-map", "1:a", ...encoding],
  ...["-b:v:0", "200k", "-b:v:1", "500k", "-f", "hls", "-hls_time", "2"],
  ...["-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"],
  ...["-hls_flags", "single_file+independent_segments", "-master_pl_name", "master.m3u8"],
  ...["-var_stream_map", "v:0,agroup:sound v:1,agroup:sound a:0,agroup:sound,default:yes"],
  "rung%v.m3u8",
];

const storyboard = [
  ...["-i", "play.mp4", "-frames:v", "1", "-vf", "fps=1/5,scale=160:90,tile=4x5", "sheet.jpg"],
];

function storyboardCues(durationS: number): string {
  const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  const cues = Array.from({ length: Math.ceil(durationS / 5) }, (_, index) => {
    const [x, y] = [(index % 4) * 160, Math.floor(index / 4) * 90];
    return `${stamp(index * 5)} --> ${stamp(index * 5 + 5)}\nsheet.jpg#xywh=${x},${y},160,90\n`;
  });
  return `WEBVTT\n\n${cues.join("\n")}`;
}

const clipNames = ["upright-0", "wide-0", "upright-1", "wide-1", "upright-2"] as const;
export type ClipName = (typeof clipNames)[number] | "long" | "longest";
export const longDurationS = 75;
/** Long enough for all computed mid-rolls. */
export const longestDurationS = 190;
export const clipDurationS = 6;
const durations: Partial<Record<ClipName, number>> = {
  long: longDurationS,
  longest: longestDurationS,
};

/**
 * Returns the cached folder of a clip: a short vertical or horizontal one, or a long video with its
 * ladder.
 */
function clipFolder(name: ClipName): Promise<string> {
  const isLong = name === "long";
  const hue = isLong ? 120 : clipNames.findIndex((clip) => clip === name) * 70;
  const size = isLong ? "640x360" : name.startsWith("upright") ? "270x480" : "480x270";
  const commands = [
    ...playAndPoster(size, durations[name] ?? clipDurationS, hue),
    ...(isLong ? [ladder(longDurationS), storyboard] : []),
  ];
  const cues = isLong ? storyboardCues(longDurationS) : null;
  return cacheFolder(["player clip", commands, cues], async (folder) => {
    for (const args of commands) await runFfmpeg(args, folder);
    if (cues !== null) await writeFile(join(folder, "storyboard.vtt"), cues);
  });
}

/** Adds a video to the site, with files in its storage and a row in its database. */
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
    app.db,
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

/** Adds short clips that are alternately vertical and horizontal. Each has a different title. */
export async function addShortClips(app: TestApp, count: number): Promise<VideoRow[]> {
  const rows: VideoRow[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = clipNames[index % clipNames.length] ?? "upright-0";
    rows.push(await addClip(app, name, { title: `Clip ${index}`, slug: `clip-${index}` }));
  }
  return rows;
}

/** Adds a caption file to a video. `query` contains its language and other properties. */
export async function addCaptions(
  app: TestApp,
  videoId: string,
  query: string,
  text: string,
): Promise<void> {
  const response = await fetch(`${app.url}/api/admin/videos/${videoId}/captions?${query}`, {
    method: "POST",
    headers: { cookie: await app.signIn(), "content-type": "application/x-subrip" },
    body: text,
  });
  if (!response.ok) throw new Error(`no captions: ${response.status} ${await response.text()}`);
}

/** Returns captions with a single line that is shown during the whole clip. */
export const wholeLine = (text: string): string => `1\n00:00:00,000 --> 00:09:00,000\n${text}\n`;
