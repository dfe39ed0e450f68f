import { maxPixels } from "../facts/input-guards.ts";
import { parseRatio, type ProbedFrame, type ProbedStream } from "./ffprobe-output.ts";
import { readGeometry } from "./geometry.ts";
import {
  dolbyVisionMatrix,
  type AudioFacts,
  type Ratio,
  type VideoFacts,
} from "../facts/media-facts.ts";
import { refuse } from "./refusals.ts";

/** Returns the properties of the video track, from the container and decoded frames. */
export function toVideoFacts(
  stream: ProbedStream,
  frames: [ProbedFrame, ...ProbedFrame[]],
  measured: Pick<VideoFacts, "endS" | "isCleanStart" | "timeline"> & { durationS: number },
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
    isCleanStart: measured.isCleanStart,
    endS: measured.endS,
    timeline: measured.timeline,
  };
}

function readColors(
  { side_data_list: sideData }: ProbedStream,
  frame: ProbedFrame,
): Pick<VideoFacts, "colorMatrix" | "colorPrimaries" | "colorTransfer" | "isHdr"> {
  const isDolbyVisionOnly = sideData.some(
    ({ dv_profile: profile, dv_bl_signal_compatibility_id: compatibility }) =>
      profile === 5 || (profile === 10 && compatibility === 0),
  );
  const [colorMatrix, colorPrimaries, colorTransfer] = isDolbyVisionOnly
    ? [dolbyVisionMatrix, "bt2020", "smpte2084"]
    : [known(frame.color_space), known(frame.color_primaries), known(frame.color_transfer)];
  const isHdr = colorTransfer === "smpte2084" || colorTransfer === "arib-std-b67";
  return { colorMatrix, colorPrimaries, colorTransfer, isHdr };
}

export function toAudioFacts(
  stream: ProbedStream,
  plays: Pick<AudioFacts, "endS" | "timeline">,
): AudioFacts {
  return {
    index: stream.index,
    codec: stream.codec_name ?? "unknown",
    profile: stream.profile ?? null,
    channels: stream.channels ?? 0,
    sampleRate: Number(stream.sample_rate ?? 0),
    ...plays,
    language: stream.tags["language"] ?? null,
    title: titleOf(stream.tags["title"]),
    kind: kindOf(stream.disposition),
  };
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
  if (measured !== null && measured <= 240) return { num: Math.round(measured * 1000), den: 1000 };
  const nominal = parseRatio(stream.r_frame_rate);
  if (isPlausibleRate(nominal)) return nominal;
  return durationS > 1 && frames.length <= 1 ? { num: 5, den: 1 } : { num: 25, den: 1 };
}
