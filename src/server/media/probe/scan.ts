import type { PacketScan } from "../facts/packet-scan.ts";
import { cutFacts } from "../facts/cut-facts.ts";
import { closeJumps, findJumps, withoutJumps } from "../facts/jumps.ts";
import { guardProbe, withoutEdits } from "../facts/input-guards.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { throwIfMemoryRefused } from "../run/media-process-error.ts";
import type { MediaTools } from "../run/media-tools.ts";
import type { MediaFacts } from "../facts/media-facts.ts";
import type { Timeline } from "../facts/timeline.ts";
import { severalVideosNotice } from "./notices.ts";

/** Maximum number of packets: twelve hours at 100 frames per second. */
const maxPackets = 4_500_000;

interface PacketTimes {
  all: number[];
  keyframes: number[];
  /** Number of packets that an edit list hides. */
  hidden: number;
  /** Time of the last frame. */
  latestS: number;
  /** True if a second recording follows, as in joined files. Its packets are left out. */
  startsOver: boolean;
}

/**
 * A second recording starts this close to the start of the first one, and at least this long before
 * its end. Isolated wrong timestamps in damaged files rarely fall there.
 */
const restartS = 1;

/** If packets are further apart than this, the other track decides whether timestamps jump. */
const suspiciousS = 30;

/**
 * Reads all packets of a file without decoding (0.4 s for 500 MB). Returns the true frame rate,
 * keyframe distances, gaps in the sound and timestamp jumps. The jumps are removed from all returned times.
 */
export async function scanPackets(
  deps: { tools: MediaTools; cwd: string },
  facts: MediaFacts,
  sourcePath: string,
  signal: AbortSignal | undefined,
): Promise<{ scan: PacketScan; facts: MediaFacts }> {
  const { audio, video } = facts;
  const { timeline } = video;
  const read = (...indexes: number[]): Promise<PacketTimes[]> =>
    readTimes(deps, facts, sourcePath, indexes, signal);
  // Only AAC can be copied, and only from a file without a timeline.
  const hasAac = audio?.codec === "aac" && timeline === null;
  const [pictures = noTimes(), sound = null] = await read(
    video.index,
    ...(hasAac ? [audio.index] : []),
  );
  const { all, keyframes, hidden } = pictures;
  if (timeline !== null) {
    // The keyframes stay where they are in the media, because the distance matters for seeking.
    const scan = summarise(playedTimes(all, timeline), [], facts);
    const maxKeyframeGapS = longestGapS(keyframes, all);
    return { scan: { ...scan, maxKeyframeGapS, hiddenFrames: hidden, soundDriftS: 0 }, facts };
  }
  const isSuspicious = hasGap(all) || (audio !== null && audio.endS > video.endS + suspiciousS);
  const readSound = async (index: number) => sound ?? (await read(index))[0] ?? noTimes();
  const audioTimes = isSuspicious && audio !== null ? (await readSound(audio.index)).all : null;
  const jumps = isSuspicious ? findJumps(all, audioTimes) : [];
  const close = (times: number[]): number[] =>
    jumps.length === 0 ? times : times.map((time) => withoutJumps(time, jumps));
  const closed = closeJumps(facts, jumps);
  const scan = summarise(close(all), close(keyframes), closed);
  const soundDriftS = sound === null || audio === null ? 0 : measureDrift(sound.all, audio);
  const endS = withoutJumps(pictures.latestS, jumps);
  return {
    scan: { ...scan, hiddenFrames: hidden, soundDriftS },
    facts: pictures.startsOver ? keepFirst(closed, endS) : closed,
  };
}

/**
 * Returns the facts of the first of several recordings in a file.
 * @param endS time of its last frame. That frame is cut off, because ffmpeg would replace it with
 * one of the next recording.
 */
function keepFirst(facts: MediaFacts, endS: number): MediaFacts {
  const notices = [...new Set([...facts.notices, severalVideosNotice])];
  return cutFacts({ ...facts, notices }, [{ startS: 0, endS }]);
}

/** Samples in a packet of AAC: plain, of high efficiency, and short packets of both. */
const packetSamples = [1024, 2048, 960, 1920];

/**
 * Returns the largest difference between the times of AAC packets and a sequence without gaps, in
 * seconds.
 */
export function measureDrift(
  times: readonly number[],
  { sampleRate }: { sampleRate: number },
): number {
  const sorted = Float64Array.from(times).sort();
  const first = sorted[0] ?? 0;
  const steps = sorted.subarray(1).map((time, i) => time - (sorted[i] ?? 0));
  const medianS = steps.toSorted()[Math.floor(steps.length / 2)] ?? 0;
  if (sampleRate === 0 || medianS === 0) return 0;
  const lengths = packetSamples.map((samples) => samples / sampleRate);
  const packetS = lengths.reduce((best, lengthS) =>
    Math.abs(lengthS - medianS) < Math.abs(best - medianS) ? lengthS : best,
  );
  return sorted.reduce((max, time, i) => Math.max(max, Math.abs(time - first - i * packetS)), 0);
}

/** Maximum rounding of the times that ffprobe prints. */
const roundingS = 0.000_05;

/**
 * Returns when the frames with these media times play. Leaves out the time in which no new frame
 * appears, because it says nothing about the frame rate.
 */
function playedTimes(times: readonly number[], timeline: Timeline): number[] {
  const sorted = Float64Array.from(times).sort();
  const played: number[] = [];
  let atS = 0;
  for (const { lengthS, mediaS, rate } of timeline) {
    const endS = (mediaS ?? 0) + lengthS * rate - roundingS;
    const from = mediaS === null ? sorted.length : firstFrom(sorted, mediaS - roundingS);
    for (let i = from; i < sorted.length && (sorted[i] ?? endS) < endS; i += 1) {
      if (played.length >= maxPackets) return played;
      played.push(atS + ((sorted[i] ?? 0) - (mediaS ?? 0)) / rate);
    }
    if (mediaS !== null && rate > 0) atS += lengthS;
  }
  return played;
}

/** Returns the index of the first value that isn't below `least`. */
function firstFrom(sorted: Float64Array, least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function longestGapS(keyframes: readonly number[], all: readonly number[]): number {
  const endS = all.reduce((max, time) => Math.max(max, time), 0);
  const sorted = [...Float64Array.from(keyframes).sort(), endS];
  return sorted.reduce((gapS, time, i) => Math.max(gapS, time - (sorted[i - 1] ?? time)), 0);
}

function hasGap(times: readonly number[]): boolean {
  const sorted = Float64Array.from(times).sort();
  return sorted.some((time, i) => i > 0 && time - (sorted[i - 1] ?? 0) > suspiciousS);
}

const noTimes = (): PacketTimes => ({
  all: [],
  keyframes: [],
  hidden: 0,
  latestS: -Infinity,
  startsOver: false,
});

/** Reads the times of these tracks' packets, in seconds from the start of the file. */
async function readTimes(
  deps: { tools: MediaTools; cwd: string },
  facts: MediaFacts,
  sourcePath: string,
  indexes: readonly number[],
  signal: AbortSignal | undefined,
): Promise<PacketTimes[]> {
  const tracks = indexes.map(noTimes);
  const hasTimeline = facts.video.timeline !== null;
  let pending = "";
  const result = await deps.tools.ffprobe({
    name: "scan",
    args: [
      // The option takes a single track.
      ...(indexes.length === 1 ? ["-select_streams", String(indexes[0])] : []),
      ...["-show_entries", "packet=stream_index,pts_time,dts_time,flags", "-of", "csv=p=0"],
      ...(hasTimeline ? withoutEdits(facts.container) : []),
      ...guardProbe(facts.container, sourcePath, facts.alsoOpen),
    ],
    cwd: deps.cwd,
    inputs: [sourcePath],
    limits: smallJobLimits,
    signal,
    isUrgent: true,
    onStdout(chunk) {
      pending += chunk.toString("latin1");
      const lines = pending.split("\n");
      pending = (lines.pop() ?? "").slice(-200);
      for (const line of lines) {
        const [index, pts, dts, flags] = line.split(",");
        const times = tracks[indexes.indexOf(Number(index))];
        if (times === undefined) continue;
        const time = Number(pts === "N/A" ? dts : pts) - facts.startS;
        const isKeyframe = flags?.startsWith("K") === true;
        const firstS = times.all[0] ?? time;
        // Keyframes play after all earlier frames. Other frames can be far from their order.
        times.startsOver ||=
          isKeyframe && time < times.latestS - restartS && Math.abs(time - firstS) < restartS;
        if (times.startsOver) continue;
        if (flags?.[1] === "D") {
          times.hidden += 1;
          continue;
        }
        if (!Number.isFinite(time) || times.all.length >= maxPackets) continue;
        times.latestS = Math.max(times.latestS, time);
        times.all.push(time);
        if (isKeyframe) times.keyframes.push(time);
      }
    },
  });
  throwIfMemoryRefused("scan", result);
  return tracks;
}

/**
 * Computes frame rates and keyframe distances from presentation times in any order, relative to the
 * start of the file.
 */
export function summarise(
  times: number[],
  keyframes: number[],
  facts: { durationS: number },
): Omit<PacketScan, "hiddenFrames" | "soundDriftS"> {
  const sorted = Float64Array.from(times).sort();
  const first = sorted[0] ?? 0;
  const last = sorted.at(-1) ?? 0;
  const deltas = new Float64Array(Math.max(sorted.length - 1, 0));
  for (let i = 0; i < deltas.length; i += 1) deltas[i] = (sorted[i + 1] ?? 0) - (sorted[i] ?? 0);
  const byLength = deltas.toSorted();
  const medianS = byLength[Math.floor(byLength.length / 2)] ?? 0;
  const toleranceS = Math.max(medianS * 0.3, 0.002);
  const steady = deltas.filter((delta) => Math.abs(delta - medianS) <= toleranceS);
  const steadyS = steady.reduce((sum, delta) => sum + delta, 0) / steady.length;
  const uneven = deltas.length - steady.length;

  const keys = Float64Array.from(keyframes).sort();
  let gapS = (keys[0] ?? last) - first;
  for (let i = 0; i < keys.length; i += 1) {
    gapS = Math.max(gapS, (keys[i + 1] ?? facts.durationS) - (keys[i] ?? 0));
  }
  return {
    packetCount: sorted.length,
    endS: sorted.length > 0 ? Math.max(last + medianS, 0) : 0,
    averageFps: last > first ? (sorted.length - 1) / (last - first) : 0,
    medianFps: medianS > 0 ? 1 / medianS : 0,
    steadyFps: steadyS > 0 ? 1 / steadyS : 0,
    isVariable: deltas.length > 0 && uneven > Math.max(1, deltas.length * 0.05),
    maxFrameGapS: Math.max(byLength.at(-1) ?? 0, facts.durationS - last),
    maxKeyframeGapS: Math.max(gapS, 0),
  };
}
