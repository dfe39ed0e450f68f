import { maxPixels } from "../facts/input-guards.ts";
import {
  dolbyVisionMatrix,
  type AudioFacts,
  type Ratio,
  type VideoFacts,
} from "../facts/media-facts.ts";
import { parseRatio, type ProbedFrame, type ProbedStream } from "./ffprobe-output.ts";
import { refuse } from "./refusals.ts";

/** Maximum pixel aspect ratio. More extreme ones are errors in the file. */
const maxSar = 8;
/** Maximum deviation from a multiple of 90 degrees. Programs round the cells of a matrix. */
const maxDeviationDeg = 1;
/** 1 as a 16.16 fixed-point number, as in the cells of a display matrix. */
const one = 0x10000;

type Geometry = Pick<
  VideoFacts,
  | "codedWidth"
  | "codedHeight"
  | "width"
  | "height"
  | "sar"
  | "rotationDeg"
  | "isMirrored"
  | "displayMatrix"
>;
type Orientation = Pick<Geometry, "rotationDeg" | "isMirrored" | "displayMatrix">;

/**
 * Computes the displayed size from a decoded frame and from the container's pixel ratio and display
 * matrix.
 */
export function readGeometry(stream: ProbedStream, frame: ProbedFrame): Geometry {
  const codedWidth = frame.width ?? stream.width ?? 0;
  const codedHeight = frame.height ?? stream.height ?? 0;
  const sar = readSar(stream, frame);
  const orientation = readOrientation(stream);
  // The smaller side keeps its pixels. The other side is stretched.
  const shownWidth = Math.round(codedWidth * Math.max(sar.num / sar.den, 1));
  const shownHeight = Math.round(codedHeight * Math.max(sar.den / sar.num, 1));
  const isTurned = orientation.rotationDeg % 180 !== 0;
  return {
    codedWidth,
    codedHeight,
    width: isTurned ? shownHeight : shownWidth,
    height: isTurned ? shownWidth : shownHeight,
    sar,
    ...orientation,
  };
}

function readSar(stream: ProbedStream, frame: ProbedFrame): Ratio {
  // The container's ratio takes precedence, as in ffmpeg.
  const sar = parseRatio(stream.sample_aspect_ratio) ?? parseRatio(frame.sample_aspect_ratio);
  if (sar === null) return { num: 1, den: 1 };
  const value = sar.num / sar.den;
  return value > maxSar || value < 1 / maxSar ? { num: 1, den: 1 } : sar;
}

/**
 * Splits the display matrix into a mirror image (left to right) and a rotation after it. The matrix
 * `a b u / c d v / x y w` moves the corner (1, 0) to (a, b) and (0, 1) to (c, d), with y downwards.
 */
function readOrientation(stream: ProbedStream): Orientation {
  const upright = { rotationDeg: 0, isMirrored: false } as const;
  const data = stream.side_data_list.find((entry) => entry.side_data_type === "Display Matrix");
  if (data === undefined) return { ...upright, displayMatrix: "plain" };
  const [a, b, c, d] = readCells(data.displaymatrix ?? "");
  const area = a * d - b * c;
  // Some programs write zeros if they don't know the orientation.
  if (area === 0) return { ...upright, displayMatrix: "unusual" };
  const isMirrored = area < 0;
  const alongDeg = toDegrees(isMirrored ? Math.atan2(-b, -a) : Math.atan2(b, a));
  const acrossDeg = toDegrees(Math.atan2(-c, d));
  const rotationDeg = nearestQuarter(alongDeg);
  const deviationDeg = Math.max(
    turnBetween(alongDeg, rotationDeg),
    turnBetween(acrossDeg, rotationDeg),
  );
  if (deviationDeg > maxDeviationDeg) return { ...upright, displayMatrix: "ignored" };
  const isPlain = !isMirrored && [a, b, c, d].every((cell) => cell === 0 || Math.abs(cell) === one);
  return { rotationDeg, isMirrored, displayMatrix: isPlain ? "plain" : "unusual" };
}

/** Parses the lines "00000000: a b u" that ffprobe prints. */
function readCells(text: string): [number, number, number, number] {
  const rows = [...text.matchAll(/^\w+:\s+(-?\d+)\s+(-?\d+)/gm)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  const [[a = one, b = 0] = [], [c = 0, d = one] = []] = rows;
  return [a, b, c, d];
}

const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

const turnBetween = (aDeg: number, bDeg: number): number =>
  Math.abs(((((aDeg - bDeg) % 360) + 540) % 360) - 180);

function nearestQuarter(degrees: number): Orientation["rotationDeg"] {
  const quarters = [0, 90, 180, 270] as const;
  return quarters.toSorted((a, b) => turnBetween(degrees, a) - turnBetween(degrees, b))[0] ?? 0;
}

/** Returns the properties of the video track, from the container and decoded frames. */
export function toVideoFacts(
  stream: ProbedStream,
  frames: [ProbedFrame, ...ProbedFrame[]],
  measured: Pick<VideoFacts, "endS" | "isCleanStart" | "timeline" | "hasSeveralConfigs"> & {
    durationS: number;
  },
): VideoFacts {
  const [frame] = frames;
  const geometry = readGeometry(stream, frame);
  if (geometry.codedWidth * geometry.codedHeight > maxPixels) {
    throw refuse.tooLarge(geometry.codedWidth, geometry.codedHeight);
  }
  const pixelFormat = frame.pix_fmt ?? stream.pix_fmt ?? "unknown";
  return {
    index: stream.index,
    codec: stream.codec_name ?? "unknown",
    profile: stream.profile ?? null,
    level: stream.level ?? null,
    ...geometry,
    fps: readFps(stream, frames, measured.durationS),
    pixelFormat,
    bitDepth: Number(/p(\d\d)(?:le|be)$/.exec(pixelFormat)?.[1] ?? 8),
    isFullRange: pixelFormat.startsWith("yuvj") || frame.color_range === "pc",
    ...readColors(stream, frame),
    isInterlaced:
      frames.some((each) => each.interlaced_frame === 1) ||
      /^(tt|bb|tb|bt)$/.test(stream.field_order ?? ""),
    hasSeveralConfigs: measured.hasSeveralConfigs,
    isCleanStart: measured.isCleanStart,
    endS: measured.endS,
    timeline: measured.timeline,
  };
}

function readColors(
  { side_data_list: sideData }: ProbedStream,
  frame: ProbedFrame,
): Pick<
  VideoFacts,
  "colorMatrix" | "colorPrimaries" | "colorTransfer" | "hasReservedColors" | "isHdr"
> {
  const isDolbyVisionOnly = sideData.some(
    ({ dv_profile: profile, dv_bl_signal_compatibility_id: compatibility }) =>
      profile === 5 || (profile === 10 && compatibility === 0),
  );
  const names = [frame.color_space, frame.color_primaries, frame.color_transfer] as const;
  const [colorMatrix, colorPrimaries, colorTransfer] = isDolbyVisionOnly
    ? [dolbyVisionMatrix, "bt2020", "smpte2084"]
    : [known(names[0]), known(names[1]), known(names[2])];
  const isHdr = colorTransfer === "smpte2084" || colorTransfer === "arib-std-b67";
  const hasReservedColors = names.includes("reserved");
  return { colorMatrix, colorPrimaries, colorTransfer, hasReservedColors, isHdr };
}

export function toAudioFacts(
  stream: ProbedStream,
  plays: Pick<AudioFacts, "startS" | "endS" | "timeline" | "hasSeveralConfigs">,
): AudioFacts {
  return {
    index: stream.index,
    codec: stream.codec_name ?? "unknown",
    profile: stream.profile ?? null,
    channels: stream.channels ?? 0,
    isMixable: isMixable(stream),
    sampleRate: Number(stream.sample_rate ?? 0),
    ...plays,
    language: stream.tags["language"] ?? null,
    title: titleOf(stream.tags["title"]),
    kind: kindOf(stream.disposition),
  };
}

/**
 * Returns whether ffmpeg can mix a track's channels. It requires a front speaker and pairs of equal
 * sides (`sane_layout` in libswresample), and guesses unknown layouts of up to 8 channels.
 */
function isMixable({ channels = 0, channel_layout: layout = "unknown" }: ProbedStream): boolean {
  if (channels === 1) return true;
  if (layout === "unknown") return channels <= 8;
  if (layout.startsWith("ambisonic")) return false;
  if (channels === 2) return layout === "stereo";
  // Layouts without a name list their speakers: "4 channels (BL+BR+SL+SR)".
  const list = /^\d+ channels \((.*)\)$/.exec(layout)?.[1];
  if (list === undefined) return !/^\d+ channels$/.test(layout);
  const has = (speaker: string): boolean => list.split("+").includes(speaker);
  const pairs = [
    ["FL", "FR"],
    ["FLC", "FRC"],
    ["SL", "SR"],
    ["BL", "BR"],
  ] as const;
  return (has("FL") || has("FC")) && pairs.every(([left, right]) => has(left) === has(right));
}

const maxTitleLength = 60;

/**
 * Returns the title that the author gave a track. Ignores the handler name, because programs set
 * it.
 */
const titleOf = (title = ""): string | null =>
  title.trim() === "" ? null : title.trim().slice(0, maxTitleLength).toWellFormed();

function kindOf(disposition: ProbedStream["disposition"]): AudioFacts["kind"] {
  const has = (name: string) => disposition[name] === 1;
  if (has("visual_impaired") || has("descriptions")) return "description";
  if (has("dub")) return "dub";
  return has("comment") ? "commentary" : "main";
}

function known(value: string | undefined): string | null {
  return value === undefined || value === "unknown" || value === "reserved" ? null : value;
}

/**
 * Returns the frame rate. A declared rate can be a tick rate ("1000/1"). In that case the first
 * frames decide.
 */
function readFps(stream: ProbedStream, frames: ProbedFrame[], durationS: number): Ratio {
  const isPlausibleRate = (rate: Ratio | null): rate is Ratio =>
    rate !== null && rate.num / rate.den >= 0.1 && rate.num / rate.den <= 240;
  const declared = parseRatio(stream.avg_frame_rate);
  if (isPlausibleRate(declared)) return declared;
  const times = frames
    .map((each) => each.best_effort_timestamp_time)
    .filter((time) => time !== null)
    .toSorted((a, b) => a - b);
  const spanS = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const measured = spanS > 0 ? (times.length - 1) / spanS : null;
  if (measured !== null && measured <= 240) {
    return { num: Math.max(1, Math.round(measured * 1000)), den: 1000 };
  }
  const nominal = parseRatio(stream.r_frame_rate);
  if (isPlausibleRate(nominal)) return nominal;
  return durationS > 1 && frames.length <= 1 ? { num: 5, den: 1 } : { num: 25, den: 1 };
}
