import { toFps, type MediaFacts, type Ratio } from "../facts/media-facts.ts";
import { encodeVideo, planDecoderThreads, segmentS, stripOptions } from "./encode-options.ts";
import { openSource } from "./open-source.ts";
import type { Rung } from "./rungs.ts";
import { inputOptions, planVideoFilter, type FilterAbilities } from "./video-filter.ts";

/** Default CRF of x264 if nothing is known about the picture. Lower is better and larger. */
export const usualCrf = 23;

/** CRFs used to encode every sample. Others are interpolated or extrapolated. */
export const trialCrfs = [23, 27] as const;

/** Encode of a sample. */
interface TrialEncode {
  /** Bit rate with a keyframe every two seconds. */
  kbps: number;
  /** Structural similarity of the luma with the source, 0 to 1. */
  ssim: number;
}
/** Encodes at `trialCrfs`. */
export type Trial = readonly [TrialEncode, TrialEncode];

const bestCrf = 22;
const worstCrf = 28;
/** Bounds for all renditions. */
const [minCrf, maxCrf] = [18, 30];
const step = 0.5;
const usualMaxrateKbps = 5500;
/**
 * Bit rate that a thousandth of similarity may cost, in kbit/s at 1080 lines and 30 frames per
 * second. Noise costs many times as much. Motion and detail cost less.
 */
const kbpsPerThousandth = 70;
/** Above this similarity, no difference is visible, so no more bits are spent. */
const equalSsim = 0.98;
/**
 * CRF difference of a rendition with half the lines. It gets better quality because players enlarge
 * it and it has few bytes.
 */
const crfPerHalf = 2;

/**
 * Returns the CRF of a rendition.
 * @param crf CRF of the largest rendition up to 1080 lines, whose short side is `topSide`.
 */
export function renditionCrf(
  { shortSide }: { shortSide: number },
  crf: number,
  topSide: number,
): number {
  const own = crf + crfPerHalf * Math.log2(shortSide / topSide);
  return Math.round(Math.min(maxCrf, Math.max(minCrf, own)) * 10) / 10;
}

/**
 * Chooses the CRF of a ladder, based on trials of this rendition. With rising CRF, the rate falls
 * and the difference from the source grows exponentially. Minimises the rate plus the cost of the
 * difference.
 */
export function chooseCrf(
  trials: readonly Trial[],
  { maxrateKbps }: { maxrateKbps: number },
): number {
  if (trials.length === 0) return usualCrf;
  const [low, high] = trialCrfs;
  const mean = (read: (trial: Trial) => number): number =>
    trials.reduce((sum, trial) => sum + Math.max(read(trial), 1e-6), 0) / trials.length;
  const between = (atLow: number, atHigh: number) => (crf: number) =>
    atLow * (atHigh / atLow) ** ((crf - low) / (high - low));
  const rate = between(
    mean(([trial]) => trial.kbps),
    mean(([, trial]) => trial.kbps),
  );
  const difference = between(
    mean(([trial]) => 1 - trial.ssim),
    mean(([, trial]) => 1 - trial.ssim),
  );
  // Smaller pictures need less, as with their maximum rates.
  const worth = kbpsPerThousandth * 1000 * (maxrateKbps / usualMaxrateKbps);
  const cost = (crf: number): number =>
    rate(crf) + worth * Math.max(difference(crf), 1 - equalSsim);
  let chosen: number = bestCrf;
  for (let crf: number = bestCrf; crf <= worstCrf; crf += step) {
    if (cost(crf) < cost(chosen)) chosen = crf;
  }
  return chosen;
}

/** Minimum duration. Encoding a shorter video costs less than a trial could save. */
const minTrialS = 6;
/** Sampled fraction of the duration. Keeps the trial cheap compared with the ladder. */
const trialShare = 0.06;
const maxSampleS = 1;
const maxSamples = 6;

/** Returns the start of each sample and the length of a sample, in seconds. */
export function planSamples(durationS: number): { starts: number[]; lengthS: number } {
  if (durationS < minTrialS) return { starts: [], lengthS: 0 };
  const sampledS = durationS * trialShare;
  const count = Math.min(maxSamples, Math.max(1, Math.round(sampledS / maxSampleS)));
  return {
    starts: Array.from({ length: count }, (_, at) => (durationS * (at + 0.5)) / count),
    lengthS: Math.min(maxSampleS, sampledS / count),
  };
}

/**
 * Returns arguments that encode a sample with each of `trialCrfs` and discard the output. The
 * sample starts at the keyframe before its start.
 */
export function trialArgs(
  facts: MediaFacts,
  sourcePath: string,
  plan: {
    rung: Rung;
    fps: Ratio;
    startS: number;
    lengthS: number;
    threads: number;
    abilities: FilterAbilities;
  },
): string[] {
  const { rung, fps } = plan;
  const size = { width: rung.width, height: rung.height, fps: null };
  const filter = planVideoFilter(facts.video, size, plan.abilities);
  const frames = Math.max(4, Math.round(plan.lengthS * toFps(fps)));
  const splits = trialCrfs.map((_, at) => `[v${at}]`).join("");
  const endS = plan.startS + (frames * fps.den) / fps.num;
  const source = openSource(facts, sourcePath, {
    options: [
      ...planDecoderThreads(facts.video, plan.threads),
      ...inputOptions(facts.video, plan.abilities),
      "-noaccurate_seek",
    ],
    window: { startS: plan.startS, endS },
  });
  const picture = source.picture(fps);
  const graph = `${picture}${filter},setpts=N*${fps.den}/${fps.num}/TB,split=${trialCrfs.length}${splits}`;
  return [
    // Media tools log only errors by default. These numbers have level "info".
    ...["-v", "info", ...source.inputs],
    ...["-filter_complex", graph],
    ...trialCrfs.flatMap((_, at) => ["-map", `[v${at}]`]),
    ...stripOptions,
    ...trialCrfs.flatMap((crf, at) => [
      ...encodeVideo({ ...rung, crf, maxrateKbps: null }, fps, at, plan.threads),
      ...[`-ssim:v:${at}`, "1", `-frames:v:${at}`, String(frames)],
    ]),
    ...["-f", "null", "-"],
  ];
}

/** Parses the summary of x264. Returns null if it encoded nothing. */
export function parseTrial(stderr: string, fps: Ratio): Trial | null {
  const encodes: TrialEncode[] = [];
  let frames: { kind: string; count: number; bytes: number }[] = [];
  for (const line of stderr.split("\n")) {
    const frame = /frame ([IPB]):(\d+)\s.*size:\s*(\d+)/.exec(line);
    if (frame !== null) {
      const [, kind = "", count, bytes] = frame;
      frames.push({ kind, count: Number(count), bytes: Number(bytes) });
    }
    const ssim = /SSIM Mean Y:([\d.]+)/.exec(line)?.[1];
    if (ssim === undefined) continue;
    encodes.push({ kbps: rateOf(frames, toFps(fps)), ssim: Number(ssim) });
    frames = [];
  }
  const [better, worse] = encodes.toSorted((a, b) => b.kbps - a.kbps);
  return better === undefined || worse === undefined || encodes.length !== trialCrfs.length
    ? null
    : [better, worse];
}

/** Corrects the rate for keyframes, because a short sample has more of them than a rendition. */
function rateOf(frames: readonly { kind: string; count: number; bytes: number }[], fps: number) {
  const meanBytes = (isKey: boolean): number => {
    const some = frames.filter(({ kind }) => (kind === "I") === isKey);
    const count = some.reduce((sum, each) => sum + each.count, 0);
    return count === 0 ? 0 : some.reduce((sum, each) => sum + each.count * each.bytes, 0) / count;
  };
  const perSegment = fps * segmentS;
  const bytes = meanBytes(true) + meanBytes(false) * (perSegment - 1);
  return (bytes * 8) / segmentS / 1000;
}
