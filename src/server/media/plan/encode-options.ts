import {
  toFps,
  type AudioFacts,
  type MediaFacts,
  type Ratio,
  type VideoFacts,
} from "../facts/media-facts.ts";
import { jumpFilter } from "../facts/jumps.ts";
import type { Rung } from "./rungs.ts";

/** Keyframe interval of every rendition, so that players can switch. */
export const segmentS = 2;

/** Removes everything but video and audio, because metadata may contain the author or location. */
export const stripOptions = ["-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"];

/**
 * Returns one filter graph per track. ffmpeg starts a graph over if the audio format changes in the
 * middle of a track, and that must not affect other tracks.
 */
export const separateGraphs = (graphs: readonly string[]): string[] =>
  graphs.flatMap((graph) => ["-filter_complex", graph]);

/** Escapes a path for an option of a filter and then for the graph that contains the filter. */
export const escapeFilterOption = (path: string): string =>
  path.replaceAll(/[\\':]/g, String.raw`\$&`).replaceAll(/[\\'[\],;]/g, String.raw`\$&`);

/**
 * Returns options for the `index`th video stream of an output. If `maxrateKbps` is null, the rate
 * isn't limited.
 */
export function encodeVideo(
  rung: { crf: number; maxrateKbps: Rung["maxrateKbps"] | null },
  fps: Ratio,
  index: number,
  threads: number,
): string[] {
  const { maxrateKbps } = rung;
  const each: [string, string][] = [
    ["c", "libx264"],
    ["preset", "veryfast"],
    ["profile", "high"],
    // Measured: 5% fewer bytes than with the preset's 1 and 3, in the same time.
    ["refs", "2"],
    ["bf", "5"],
    ["crf", String(rung.crf)],
    ...(maxrateKbps === null
      ? []
      : ([
          ["maxrate", `${maxrateKbps}k`],
          ["bufsize", `${maxrateKbps * 2}k`],
        ] satisfies [string, string][])),
    ["g", String(Math.max(1, Math.ceil(toFps(fps) * segmentS)))],
    ["sc_threshold", "0"],
    ["threads", String(threads)],
  ];
  return [
    ...each.flatMap(([name, value]) => [`-${name}:v:${index}`, value]),
    `-force_key_frames:v:${index}`,
    `expr:gte(t,n_forced*${segmentS})`,
  ];
}

/** Returns the options for AV1 that match a CRF of x264. */
export function encodeAv1(
  rung: { crf: number },
  fps: Ratio,
  index: number,
  threads: number,
): string[] {
  const each: [string, string][] = [
    ["c", "libsvtav1"],
    ["preset", "8"],
    ["crf", String(toAv1Crf(rung.crf))],
    // Closed groups of pictures of equal length, because players start at any of them and segments
    // consist of them.
    ["g", String(Math.max(1, Math.ceil(toFps(fps) * segmentS)))],
    ["svtav1-params", `lp=${threads}`],
  ];
  return each.flatMap(([name, value]) => [`-${name}:v:${index}`, value]);
}

/**
 * Converts a CRF of x264 to one of SVT-AV1 that looks at least as good. (Measured: equal for fast
 * motion, better otherwise.)
 */
const toAv1Crf = (crf: number): number => Math.round(crf * 2 - 6);

const audioKbps = 128;

/** Stereo AAC; one stream per output. */
export const encodeAudio = ["-c:a", "aac", "-b:a", `${audioKbps}k`, "-ac", "2", "-ar", "48000"];

const surroundKbps = 384;

/** Returns options for AAC as the `index`th audio stream of an output. */
export const encodeSound = (channels: 2 | 6, index: number): string[] => [
  ...[`-c:a:${index}`, "aac", `-b:a:${index}`, `${channels === 2 ? audioKbps : surroundKbps}k`],
  ...[`-ac:a:${index}`, String(channels), `-ar:a:${index}`, "48000"],
];

/**
 * Returns a filter that fills gaps and evens out times that drift. `flags=res` prepares the
 * resampler at once. Otherwise ffmpeg 5 to 7 do so at the first drift, and start over: with
 * `first_pts=0`, that inserts all time so far as silence.
 */
export const steadyTimes = (options = ""): string => `aresample=${options}async=1000:flags=res`;

/** Returns a filter that makes audio start at 0, have no gaps, and be as long as the video. */
export function planAudioFilter(facts: MediaFacts, track: AudioFacts, gainDb = 0): string {
  // ffmpeg sets filters up again when the sample rate changes, and would insert silence from 0.
  const startsAtZero = track.timeline === null && Math.abs(track.startS) < 0.0005;
  const chain = [
    ...jumpFilter("asetpts", facts.jumps),
    steadyTimes(startsAtZero ? "48000:" : "48000:first_pts=0:"),
    ...planVolume(track, gainDb),
  ];
  if (facts.video.endS - track.endS > 0.1) {
    chain.push(`apad=whole_dur=${facts.video.endS.toFixed(3)}`);
  }
  return chain.join(",");
}

/**
 * Returns filters for the gain that play mono on both sides as players do. A resampler would lower
 * it by 3 dB. Of channels that can't be mixed, the first two play. Float samples become integers,
 * because the encoder refuses infinite values and NaN.
 */
export function planVolume({ codec, channels, isMixable }: AudioFacts, gainDb: number): string[] {
  return [
    ...(channels === 1 ? ["pan=stereo|c0=c0|c1=c0"] : []),
    ...(isMixable ? [] : ["channelmap=0|1:stereo"]),
    ...(gainDb === 0 ? [] : [`volume=${gainDb.toFixed(1)}dB`]),
    ...(codec.startsWith("pcm_f") ? ["aformat=sample_fmts=s32p"] : []),
  ];
}

/** Returns how long to repeat the last frame. Players stall if only the audio continues. */
export function planHoldS(facts: MediaFacts): number {
  const missingS = facts.audio === null ? 0 : facts.audio.endS - facts.video.endS;
  return missingS > 0.25 ? missingS : 0;
}

/**
 * Limits the output to the source's duration. Otherwise a jump in timestamps would add endless
 * frames.
 */
export function limitDuration(facts: MediaFacts): string[] {
  return ["-t", (Math.max(facts.durationS, facts.video.endS) + 1).toFixed(3)];
}

/**
 * Returns options before `-i` for runs with sound. Broadcasts change between stereo and 5.1, and
 * ffmpeg would set the filters of a track up again. Mixes 5.1 in the decoder instead if the track is
 * stereo.
 */
export function soundOptions(
  { audio, otherAudio }: MediaFacts,
  { hasDownmix }: { hasDownmix: boolean },
): string[] {
  const tracks = audio === null || !hasDownmix ? [] : [audio, ...otherAudio];
  return tracks
    .filter(({ codec, channels }) => /^e?ac3$/.test(codec) && channels === 2)
    .flatMap(({ index }) => [`-downmix:${index}`, "stereo"]);
}

/**
 * Returns the number of decoder threads. Each thread holds a frame, so for large frames memory is
 * the tighter limit.
 */
export function planDecoderThreads(video: VideoFacts, threads: number): string[] {
  const pixels = video.codedWidth * video.codedHeight;
  const maxThreads = pixels > 9_500_000 ? 1 : pixels > 4_200_000 ? 2 : threads;
  return ["-threads", String(Math.min(threads, maxThreads))];
}
