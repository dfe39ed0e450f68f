import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { TestMedia } from "#server/media/media.fixture.ts";

// Decodes sources and served files with ffmpeg alone, without Kinora's own handling of edit lists,
// rotation and colors.

/** Small picture in RGB. */
export type Pixels = Uint8Array;

export interface Frame {
  atS: number;
  pixels: Pixels;
}

/** What a file shows and plays. Times count from its start. */
export interface Shown {
  frames: Frame[];
  /** End of the last frame. */
  videoEndS: number;
  /** Mono, from the start of the file; null without sound. */
  sound: Float32Array | null;
  /** True if a decoder reported errors. Players show damaged parts in different ways. */
  isDamaged: boolean;
}

export interface Size {
  width: number;
  height: number;
}

export const ffmpegPath = process.env["FFMPEG_PATH"] ?? "ffmpeg";
const ffprobePath = process.env["FFPROBE_PATH"] ?? "ffprobe";

/** Longest side of the pictures to compare. */
const boxSide = 80;
export const soundRate = 8000;

const tracksSchema = z.object({
  format: z.object({ start_time: z.string().optional() }),
  streams: z.array(
    z.object({
      index: z.number(),
      codec_type: z.string().optional(),
      codec_name: z.string().optional(),
      color_space: z.string().optional(),
      height: z.number().optional(),
      pix_fmt: z.string().optional(),
      nb_read_packets: z.string().optional(),
      disposition: z.record(z.string(), z.number()).default({}),
    }),
  ),
});

/** Chooses the moving picture and the default sound of a source, by index of all streams. */
export async function chooseTracks(source: string) {
  const json = await probe(source, ["-count_packets", "-show_streams", "-show_format"]);
  const { streams } = tracksSchema.parse(JSON.parse(json));
  const ofType = (type: string) =>
    streams.filter(
      ({ codec_type: each, codec_name: codec, disposition }) =>
        each === type && codec !== undefined && disposition["attached_pic"] !== 1,
    );
  const byDefault = (list: typeof streams) =>
    list.find(({ disposition }) => disposition["default"] === 1) ?? list[0];
  const count = ({ nb_read_packets: packets }: (typeof streams)[number]) => Number(packets ?? 0);
  const videos = ofType("video");
  const most = Math.max(...videos.map(count));
  const video = byDefault(videos.filter((each) => count(each) * 10 > most));
  const isUntagged = video?.color_space === undefined || video.color_space === "unknown";
  const isYuv = !/^(gbr|rgb|bgr|pal|argb|abgr)/.test(video?.pix_fmt ?? "");
  return {
    video: video?.index ?? 0,
    audio: byDefault(ofType("audio"))?.index ?? null,
    // Browsers guess the matrix by the lines. ffmpeg always takes BT.601.
    matrix: isUntagged && isYuv && (video?.height ?? 0) >= 720 ? "bt709" : null,
  };
}

interface DecodeOptions extends Size {
  video: number | null;
  audio: number | null;
  /** True to count the times of a source from its start. Those of served files are absolute. */
  isSource?: boolean;
  matrix?: string | null;
  options?: readonly string[];
}

/** Decodes a file. The tracks are those of a source, or the first of their kind in a served file. */
export async function decode(at: TestMedia, file: string, options: DecodeOptions): Promise<Shown> {
  const { video, audio, isSource = false, width, height } = options;
  const specify = (kind: "v" | "a", index: number) =>
    isSource ? `0:${index}` : `0:${kind}:${index}`;
  const matrix = typeof options.matrix === "string" ? `:in_color_matrix=${options.matrix}` : "";
  const input = [
    ...(isSource ? [] : ["-copyts"]),
    ...(options.options ?? []),
    ...["-i", `file:${file}`],
  ];
  // Frames of another shape get bars. Frames of the source's own shape fill the box.
  const fit =
    `scale=w='if(lt(abs(iw*sar/ih*${height}/${width}-1),0.05),${width},2*floor(min(${width},${height}*iw*sar/ih)/2))'` +
    `:h='if(lt(abs(iw*sar/ih*${height}/${width}-1),0.05),${height},2*floor(min(${height},${width}*ih/iw/sar)/2))'` +
    `:flags=area${matrix},format=rgb24,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1`;
  const { pieces: frames, isDamaged: isPictureDamaged } =
    video === null
      ? nothing
      : await decodeTrack(at, input, specify("v", video), {
          filter: `${fit},settb=1/90000`,
          args: ["-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-f", "rawvideo"],
        });
  const { pieces, isDamaged: isSoundDamaged } =
    audio === null
      ? nothing
      : await decodeTrack(at, input, specify("a", audio), {
          filter: `aformat=channel_layouts=mono,lowpass=f=700,aresample=${soundRate},aformat=sample_fmts=s16`,
          args: ["-c:a", "pcm_s16le", "-f", "s16le"],
        });
  // With B-frames, ffmpeg adds their delay to the times of playlists.
  const startS =
    file.endsWith(".m3u8") && frames.length > 0 ? Math.min(...frames.map(({ atS }) => atS)) : 0;
  const endS = video === null ? 0 : await readVideoEnd(file, specify("v", video), isSource);
  return {
    frames: frames
      .map(({ atS, bytes }) => ({ atS: atS - startS, pixels: bytes }))
      .toSorted((a, b) => a.atS - b.atS),
    videoEndS: endS - startS,
    sound: pieces.length === 0 ? null : joinSound(pieces, isSource),
    isDamaged: isPictureDamaged || isSoundDamaged,
  };
}

interface Piece {
  atS: number;
  bytes: Uint8Array;
}

interface Decoded {
  /** Frames, or pieces of sound. */
  pieces: Piece[];
  isDamaged: boolean;
}

const nothing: Decoded = { pieces: [], isDamaged: false };

/** Decodes a track. */
async function decodeTrack(
  { folder }: TestMedia,
  input: readonly string[],
  track: string,
  { filter, args }: { filter: string; args: readonly string[] },
): Promise<Decoded> {
  const times = path.join(folder, `${randomUUID()}.times`);
  const isSound = filter.startsWith("aformat");
  const { stdout, stderr } = await runTool(ffmpegPath, [
    ...["-nostdin", "-v", "error", "-y", ...input],
    ...["-filter_complex", `[${track}]${filter},${isSound ? "asplit" : "split"}[a][b]`],
    ...["-map", "[a]", ...args, "pipe:1", "-map", "[b]", ...args.slice(0, -2)],
    ...["-f", "framecrc", `file:${times}`],
  ]);
  const text = await readFile(times, "utf8").catch(() => "");
  const [, num, den] = /^#tb 0: (\d+)\/(\d+)/m.exec(text) ?? [];
  const tickS = Number(num) / Number(den);
  let offset = 0;
  const lines = [...text.matchAll(/^0,\s*\S+,\s*(-?\d+),\s*\d+,\s*(\d+),/gm)];
  const pieces = lines.map(([, pts, size]) => {
    const bytes = stdout.subarray(offset, offset + Number(size));
    offset += Number(size);
    return { atS: Number(pts) * tickS, bytes };
  });
  return { pieces, isDamaged: stderr !== "" };
}

/**
 * Joins pieces of sound. Those of a source are put at their times, with silence between them, or
 * behind each other if they last longer than their times allow.
 * Chromium plays those of a served file without a break.
 */
function joinSound(pieces: readonly Piece[], isSource: boolean): Float32Array {
  let reached = Math.round((pieces[0]?.atS ?? 0) * soundRate);
  const placed = pieces.map(({ atS, bytes }) => {
    const from = isSource ? Math.max(Math.round(atS * soundRate), reached) : reached;
    reached = from + Math.floor(bytes.length / 2);
    return { from, bytes };
  });
  const sound = new Float32Array(Math.max(0, reached));
  for (const { from, bytes } of placed) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let i = 0; i * 2 + 1 < bytes.length; i += 1) {
      if (from + i >= 0 && from + i < sound.length) sound[from + i] = view.getInt16(i * 2, true);
    }
  }
  return sound;
}

/** Returns the end of the last packet that isn't hidden. */
async function readVideoEnd(file: string, track: string, isSource: boolean): Promise<number> {
  const json = await probe(file, [
    ...["-select_streams", track.slice(2), "-show_entries"],
    "packet=pts_time,duration_time,flags:format=start_time",
  ]);
  const { packets, format } = packetsSchema.parse(JSON.parse(json));
  const shown = packets.filter(({ flags, pts_time: at }) => flags[1] !== "D" && !Number.isNaN(at));
  const times = shown.map(({ pts_time: at }) => at).toSorted((a, b) => a - b);
  const spanS = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const stepS = times.length > 1 ? spanS / (times.length - 1) : 0;
  const ends = shown.map(({ pts_time: at, duration_time: length }) => at + (length || stepS));
  return Math.max(...ends, 0) - (isSource ? format.start_time : 0);
}

const packetsSchema = z.object({
  packets: z.array(
    z.object({
      pts_time: z.coerce.number().catch(Number.NaN),
      duration_time: z.coerce.number().catch(0),
      flags: z.string().default(""),
    }),
  ),
  format: z.object({ start_time: z.coerce.number().catch(0) }).default({ start_time: 0 }),
});

/** Returns the size in which pictures are compared, which has the shape that the source shows. */
export async function readBox(source: string, { video }: { video: number }): Promise<Size> {
  const { stdout } = await runTool(ffmpegPath, [
    ...["-nostdin", "-v", "fatal", "-i", `file:${source}`, "-filter_complex"],
    ...[`[0:${video}]scale='max(2,iw*sar)':'max(2,ih)',setsar=1,format=gray[v]`, "-map", "[v]"],
    ...["-frames:v", "1", "-c:v", "pgm", "-f", "image2pipe", "pipe:1"],
  ]);
  const head = Buffer.from(stdout.subarray(0, 40)).toString("latin1");
  const [, width, height] = /^P5\s+(\d+)\s+(\d+)/.exec(head) ?? [];
  const ratio = boxSide / Math.max(Number(width), Number(height), 1);
  const even = (value: number) => Math.max(8, Math.round((value * ratio) / 2) * 2);
  return { width: even(Number(width)), height: even(Number(height)) };
}

async function probe(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await runTool(ffprobePath, [
    "-v",
    "fatal",
    "-of",
    "json",
    ...args,
    `file:${file}`,
  ]);
  return Buffer.from(stdout).toString();
}

/** Runs a program without Kinora's sandbox and limits. Returns what it wrote, even if it failed. */
export function runTool(
  program: string,
  args: readonly string[],
): Promise<{ stdout: Uint8Array; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(0, 10_000);
    });
    child.on("error", reject);
    child.on("close", () => resolve({ stdout: Buffer.concat(chunks), stderr }));
  });
}
