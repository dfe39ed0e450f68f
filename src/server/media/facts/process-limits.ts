import type { MediaFacts } from "./media-facts.ts";
import { toFps } from "./frame-rate.ts";

export interface RunLimits {
  addressSpaceBytes: number;
  rssBytes: number;
  cpuS: number;
  wallS: number;
  /** What it may write: each file (RLIMIT_FSIZE), and all files together. */
  outputBytes: number;
}

const mebibyte = 2 ** 20;

/** Least resident memory limit of every media tool. */
export const maxRssBytes = 1_000_000_000;

/** Most resident memory that a run over a large source may use. */
const largestRssBytes = 3_000_000_000;

/**
 * The same of a pass for one rendition above 1080 lines. (Measured with four encoder threads: 1.1 GB for
 * 2160 lines, 1.4 GB where they are HDR.)
 */
const maxLargeRssBytes = 1_800_000_000;

/** Libraries, buffers of demuxer and muxer. */
const baseRssBytes = 400_000_000;
/** Frames that wait between decoder, filters and encoders. On a busy machine these queues fill up. */
const queuedFrames = 24;
/** Frames that an encoder looks ahead, besides one for each thread. */
const lookahead = 32;
/** Frames in floats that tone mapping works on at once. */
const floatFrames = 16;

/**
 * Resident memory of a run by its plan: decoded frames, those of each encoder, and floats of tone mapping. A
 * quarter more is left. (Measured: a 1080p HLG ladder held 1.1 GB on a busy machine.)
 */
export function planRssBytes(
  { video }: Pick<MediaFacts, "video">,
  work: { encodedRungs: number; threads: number },
): number {
  const sourcePixels = video.codedWidth * video.codedHeight;
  const sourceFrame = sourcePixels * (video.bitDepth > 8 ? 3 : 1.5);
  const topPixels = Math.min(sourcePixels, work.encodedRungs * pixelsOf1080);
  const decoded = sourceFrame * (queuedFrames + work.threads);
  // Smaller renditions together have about as many pixels as the largest one.
  const encoded = topPixels * 2 * 1.5 * (lookahead + work.threads);
  const toneMapped = video.isHdr ? topPixels * 12 * floatFrames : 0;
  const needed = (baseRssBytes + decoded + encoded + toneMapped) * 1.25;
  return Math.round(Math.min(largestRssBytes, Math.max(maxRssBytes, needed)));
}

const pixelsOf1080 = 2_073_600;

/** SVT-AV1 starts many threads of its own, whose stacks reserve address space. */
const av1ReserveBytes = 1_000 * mebibyte;

/**
 * Address space that goes with `maxRssBytes`: libraries take 0.3 GB of it, and every encoder thread
 * reserves a stack. (Measured: a four-rung ladder of 4K HDR holds 0.75 GB and reserves 1.4 GB.)
 */
function planAddressSpace(encoderThreads: number, rssBytes = maxRssBytes): number {
  return rssBytes + (320 + encoderThreads * 24) * mebibyte;
}

/**
 * Limits for a run over an uploaded file or a part of it. They stop runaway processes, not slow ones:
 * processor time grows with the pixels that are read and written. Measured: 1080p25 H.264 to four
 * rungs takes 1.4 CPU-seconds per second of video; the limit is ten times that.
 */
export function planLimits(
  facts: MediaFacts,
  work: {
    decodedS: number;
    /** A rendition above 1080 lines counts as those that have as many pixels. */
    encodedRungs: number;
    threads: number;
    isLarge?: boolean;
    isAv1?: boolean;
  },
): RunLimits {
  const isAv1 = work.isAv1 === true;
  const minRssBytes = work.isLarge === true || isAv1 ? maxLargeRssBytes : maxRssBytes;
  const rssBytes = Math.max(minRssBytes, planRssBytes(facts, work));
  const sourcePixels = facts.video.codedWidth * facts.video.codedHeight;
  const pace = Math.min(240, Math.max(10, toFps(facts.video.fps))) / 25;
  const cpuPerS =
    (sourcePixels / 2_073_600) * pace * 6 + work.encodedRungs * pace * (isAv1 ? 24 : 4);
  const cpuS = 120 + work.decodedS * cpuPerS;
  return {
    addressSpaceBytes:
      planAddressSpace((work.encodedRungs + 1) * (work.threads + 2), rssBytes) +
      (isAv1 ? av1ReserveBytes : 0),
    rssBytes,
    cpuS,
    // Far more than the processor time: requests have priority over background work.
    wallS: 600 + cpuS * 10,
    // Copied packets, encoded audio, and renditions of at most 12 Mbit/s.
    outputBytes: Math.ceil(
      64 * mebibyte +
        facts.sizeBytes * 2 +
        facts.durationS * 32_000 +
        work.decodedS * work.encodedRungs * 1_500_000,
    ),
  };
}

/** For reading headers and a few frames. */
export const probeLimits: RunLimits = {
  addressSpaceBytes: planAddressSpace(2),
  rssBytes: maxRssBytes,
  cpuS: 30,
  wallS: 60,
  outputBytes: 64 * mebibyte,
};

/** For reading a whole file without decoding, and for runs over generated files. */
export const smallJobLimits: RunLimits = {
  addressSpaceBytes: planAddressSpace(4),
  rssBytes: maxRssBytes,
  cpuS: 600,
  wallS: 1800,
  outputBytes: 256 * mebibyte,
};
