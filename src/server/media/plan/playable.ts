import type { AudioFacts, MediaFacts, Ratio } from "../facts/media-facts.ts";
import type { PacketScan } from "../facts/packet-scan.ts";
import {
  encodeAudio,
  encodeVideo,
  planDecoderThreads,
  limitDuration,
  planAudioFilter,
  planHoldS,
  planVolume,
  separateGraphs,
  soundOptions,
  stripOptions,
  steadyTimes,
} from "./encode-options.ts";
import { jumpFilter } from "../facts/jumps.ts";
import { guardInput, ownInput } from "../facts/input-guards.ts";
import { hasBrowserColors, nameCopiedColors } from "./colors.ts";
import { openSource, rateAfter } from "./open-source.ts";
import { usualCrf } from "./quality.ts";
import type { Rung } from "./rungs.ts";
import { inputOptions, planVideoFilter, type FilterAbilities } from "./video-filter.ts";

/** Method for making the first playable file. */
export type PlayablePlan =
  | { kind: "copy"; audio: "copy" | "encode" | "none" }
  | { kind: "quick"; because: string };

/**
 * Maximum keyframe distance. Players decode from the keyframe before a seek position, so long gaps
 * make seeking slow.
 */
const maxKeyframeGapS = 10;
/**
 * A copy would contain what the owner cut off. Even a player that follows an edit list has the
 * frames that it hides.
 */
const hidesFrames = "an edit list that hides or moves parts";
/**
 * Maximum difference between the times of sound and its length. Chromium plays the sound of a file
 * without a break, so gaps shift everything after them. (ITU-R BT.1359: 0.185 s are acceptable.)
 */
const maxSoundDriftS = 0.15;
/** Longest side in pixels that the decoders of all browsers accept. */
const maxSide = 4096;
const browserProfiles = new Set(["Constrained Baseline", "Baseline", "Main", "High"]);

/** Plans a copy for sources that every browser plays, and one quick rendition for all others. */
export function planPlayable(facts: MediaFacts, scan: PacketScan): PlayablePlan {
  const because = findObstacle(facts, scan);
  if (because !== null) return { kind: "quick", because };
  const { audio } = facts;
  if (audio === null) return { kind: "copy", audio: "none" };
  const isPlain = audio.codec === "aac" && /^(LC|HE-AAC|HE-AACv2)$/.test(audio.profile ?? "");
  const isContinuous = scan.soundDriftS <= maxSoundDriftS;
  return {
    kind: "copy",
    audio:
      isPlain &&
      isContinuous &&
      !audio.hasSeveralConfigs &&
      audio.channels <= 2 &&
      audio.rightIndex === undefined
        ? "copy"
        : "encode",
  };
}

function findObstacle(facts: MediaFacts, scan: PacketScan): string | null {
  const because = findKnownObstacle(facts);
  if (because !== null) return because;
  if (facts.jumps.length > 0) return "timestamps that jump";
  if (scan.hiddenFrames > 0) return hidesFrames;
  if (scan.maxKeyframeGapS > maxKeyframeGapS) return "keyframes too rare";
  return scan.averageFps > 121 ? "frame rate too high" : null;
}

/**
 * Returns why browsers may not play a source, as far as that is known before a scan of its packets.
 */
export function findKnownObstacle({ container, video, isTruncated }: MediaFacts): string | null {
  if (video.timeline !== null) return hidesFrames;
  if (video.codec !== "h264") return `codec ${video.codec}`;
  if (video.hasSeveralConfigs) return "several decoder configurations";
  // AVI has no presentation times, but B-frames need them.
  if (container === "avi") return "container avi";
  if (!/^yuvj?420p$/.test(video.pixelFormat)) return `pixel format ${video.pixelFormat}`;
  if (!browserProfiles.has(video.profile ?? "")) return `profile ${video.profile}`;
  if (video.level === null || video.level > 52) return `level ${video.level}`;
  if (video.sar.num !== video.sar.den) return "pixels are not square";
  // Firefox ignores mirror images, and Chromium turns scaled ones the wrong way.
  if (video.displayMatrix !== "plain") return `${video.displayMatrix} display matrix`;
  if (video.isInterlaced) return "interlaced";
  if (video.isHdr) return "high dynamic range";
  if (!hasBrowserColors(video)) return `color matrix ${video.colorMatrix}`;
  if (Math.max(video.codedWidth, video.codedHeight) > maxSide) return "larger than 4K";
  return isTruncated || !video.isCleanStart ? "damaged" : null;
}

/** Returns whether browsers play H.264 that Kinora encodes at this size and frame rate. */
export const playsEncoded = (
  { width, height }: { width: number; height: number },
  fps: Ratio,
): boolean => Math.max(width, height) <= maxSide && fps.num / fps.den <= 60;

/**
 * Returns arguments that copy the streams without decoding them and put the index first.
 * @param sound what to do with the audio. `path` is a finished file that replaces it.
 */
export function copyArgs(
  facts: MediaFacts,
  sourcePath: string,
  sound: {
    audio: "copy" | "encode" | "none";
    gainDb?: number;
    /** Options of the source; see `soundOptions`. */
    options?: string[];
    path?: string | undefined;
    /** False to leave the colors of the picture as they are. */
    namesColors?: boolean;
  },
  outputPath: string,
): string[] {
  const { video } = facts;
  const { audio, gainDb = 0, options = [], path } = sound;
  const track = audio === "none" ? null : facts.audio;
  const copied = path === undefined ? `0:${track?.index}` : "1:a:0";
  const encode = (source: AudioFacts): string[] => {
    const filters = [steadyTimes(), ...planVolume(source, gainDb)].join(",");
    const graph = `${openSource(facts, sourcePath).sound(source)}${filters}[a]`;
    return ["-filter_complex", graph, "-map", "[a]", ...encodeAudio];
  };
  return [
    ...options,
    ...guardInput(facts.container, sourcePath),
    ...(path === undefined ? [] : ownInput(path)),
    ...["-map", `0:${video.index}`],
    ...(track === null ? [] : audio === "copy" ? ["-map", copied, "-c:a", "copy"] : encode(track)),
    ...stripOptions,
    ...["-c:v", "copy", ...(sound.namesColors === false ? [] : nameCopiedColors(video))],
    ...mp4Output(outputPath),
  ];
}

/** Returns arguments for one small, quickly encoded rendition of any source. */
export function quickArgs(
  facts: MediaFacts,
  sourcePath: string,
  plan: {
    rung: Rung;
    fps: Ratio;
    threads: number;
    abilities: FilterAbilities;
    gainDb?: number;
  },
  outputPath: string,
): string[] {
  const { rung, fps } = plan;
  const filter = planVideoFilter(
    facts.video,
    {
      width: rung.width,
      height: rung.height,
      fps: rateAfter(facts, fps),
      holdLastS: planHoldS(facts),
    },
    plan.abilities,
  );
  const source = openSource(facts, sourcePath, {
    options: [
      ...planDecoderThreads(facts.video, plan.threads),
      ...inputOptions(facts.video, plan.abilities),
      ...soundOptions(facts, plan.abilities),
    ],
  });
  const graphs = [
    `${source.picture(fps)}${[...jumpFilter("setpts", facts.jumps), filter].join(",")}[v]`,
    ...(facts.audio === null
      ? []
      : [`${source.sound(facts.audio)}${planAudioFilter(facts, facts.audio, plan.gainDb)}[a]`]),
  ];
  return [
    ...source.inputs,
    ...separateGraphs(graphs),
    ...["-map", "[v]"],
    ...(facts.audio === null ? [] : ["-map", "[a]", ...encodeAudio]),
    ...stripOptions,
    ...encodeVideo({ ...rung, crf: usualCrf }, fps, 0, plan.threads),
    ...limitDuration(facts),
    ...mp4Output(outputPath),
  ];
}

/** Returns arguments for the small progressive file from a rung of the ladder and its audio. */
export function remuxArgs(videoPath: string, audioPath: string | null, outputPath: string) {
  return [
    ...ownInput(videoPath),
    ...(audioPath === null ? [] : ownInput(audioPath)),
    ...["-map", "0:v:0", ...(audioPath === null ? [] : ["-map", "1:a:0"]), "-c", "copy"],
    ...mp4Output(outputPath),
  ];
}

export function mp4Output(outputPath: string): string[] {
  return [
    ...["-fflags", "+bitexact", "-movflags", "+faststart", "-f", "mp4"],
    `file:${outputPath}`,
  ];
}
