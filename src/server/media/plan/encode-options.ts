import type { AudioFacts, MediaFacts, Ratio, VideoFacts } from "../facts/media-facts.ts";
import { toFps } from "../facts/frame-rate.ts";
import { jumpFilter } from "../facts/jumps.ts";
import type { Rung } from "./rungs.ts";

/** Every rendition has a keyframe at every multiple of this, so that players can switch. */
export const segmentS = 2;

/** Only video and audio are kept: metadata may name the author or the location. */
export const stripOptions = ["-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"];

/** Options of the `index`th video stream of an output. A null `maxrateKbps` leaves the rate free. */
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
    // Measured: 5% fewer bytes than the preset's 1 and 3, in the same time.
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

/** The same in AV1, for a rate factor of x264. */
export function encodeAv1(
  rung: { crf: number },
  fps: Ratio,
  index: number,
  threads: number,
): string[] {
  const each: [string, string][] = [
    ["c", "libsvtav1"],
    ["preset", "8"],
    ["crf", String(av1CrfOf(rung.crf))],
    // Closed groups of pictures of one length: players begin at each, and their times divide into segments.
    ["g", String(Math.max(1, Math.ceil(toFps(fps) * segmentS)))],
    ["svtav1-params", `lp=${threads}`],
  ];
  return each.flatMap(([name, value]) => [`-${name}:v:${index}`, value]);
}

/**
 * The rate factor of SVT-AV1 that looks at least as good as this one of x264. (Measured: equal for fast motion,
 * better for the rest.)
 */
const av1CrfOf = (crf: number): number => Math.round(crf * 2 - 6);

const audioKbps = 128;

/** Stereo AAC; one stream per output. */
export const encodeAudio = ["-c:a", "aac", "-b:a", `${audioKbps}k`, "-ac", "2", "-ar", "48000"];

const surroundKbps = 384;

/** AAC as the `index`th stream of sound of an output. */
export const encodeSound = (channels: 2 | 6, index: number): string[] => [
  ...[`-c:a:${index}`, "aac", `-b:a:${index}`, `${channels === 2 ? audioKbps : surroundKbps}k`],
  ...[`-ac:a:${index}`, String(channels), `-ar:a:${index}`, "48000"],
];

/** Audio that starts at 0, has no gaps, and lasts as long as the video. */
export function planAudioFilter(facts: MediaFacts, track: AudioFacts, gainDb = 0): string {
  const chain = [
    ...jumpFilter("asetpts", facts.jumps),
    "aresample=48000:async=1000:first_pts=0",
    ...planVolume(track, gainDb),
  ];
  if (facts.video.endS - track.endS > 0.1) {
    chain.push(`apad=whole_dur=${facts.video.endS.toFixed(3)}`);
  }
  return chain.join(",");
}

/** A gain, and one channel on both sides as players do it: a resampler would lower it by 3 dB. */
export function planVolume({ channels }: AudioFacts, gainDb: number): string[] {
  return [
    ...(channels === 1 ? ["pan=stereo|c0=c0|c1=c0"] : []),
    ...(gainDb === 0 ? [] : [`volume=${gainDb.toFixed(1)}dB`]),
  ];
}

/** How long the last frame is repeated: players stall where only audio goes on. */
export function planHoldS(facts: MediaFacts): number {
  const missingS = facts.audio === null ? 0 : facts.audio.endS - facts.video.endS;
  return missingS > 0.25 ? missingS : 0;
}

/** Limits the output to the duration of the source: a jump in timestamps would add endless frames. */
export function limitDuration(facts: MediaFacts): string[] {
  return ["-t", (Math.max(facts.durationS, facts.video.endS) + 1).toFixed(3)];
}

/**
 * Number of decoder threads. Each one holds a frame, and for large frames memory is the tighter
 * limit.
 */
export function planDecoderThreads(video: VideoFacts, threads: number): string[] {
  const pixels = video.codedWidth * video.codedHeight;
  const maxThreads = pixels > 9_500_000 ? 1 : pixels > 4_200_000 ? 2 : threads;
  return ["-threads", String(Math.min(threads, maxThreads))];
}
