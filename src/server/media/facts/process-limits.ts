import { mediaSpanS } from "./timeline.ts";
import { toFps, type MediaFacts } from "./media-facts.ts";

export interface RunLimits {
  addressSpaceBytes: number;
  rssBytes: number;
  cpuS: number;
  wallS: number;
  /** Maximum size of each file (RLIMIT_FSIZE), and of all files together. */
  outputBytes: number;
}

const mebibyte = 2 ** 20;

/** Minimum resident memory limit of every media tool. */
export const maxRssBytes = 1_000_000_000;

/** Maximum resident memory limit, for runs over large sources. */
const largestRssBytes = 3_000_000_000;

/**
 * Resident memory limit of an encode above 1080 lines. (Measured with four encoder threads: 1.1 GB
 * for 2160 lines, 1.4 GB for HDR.)
 */
const maxLargeRssBytes = 1_800_000_000;

/** Memory for libraries and the buffers of demuxer and muxer. */
const baseRssBytes = 400_000_000;
/** Frames queued between decoder, filters and encoders. These queues fill up on a busy machine. */
const queuedFrames = 24;
/** Frames of an encoder's lookahead, in addition to one per thread. */
const lookahead = 32;
/** Float frames that tone mapping processes at once. */
const floatFrames = 16;

/**
 * Estimates the resident memory of a run: decoded frames, frames in each encoder, and the floats
 * used by tone mapping, plus a quarter. (Measured: a 1080p HLG ladder used 1.1 GB on a busy
 * machine.)
 */
export function planRssBytes(
  { video }: Pick<MediaFacts, "video">,
  work: { encodedRungs: number; threads: number },
): number {
  const sourcePixels = video.codedWidth * video.codedHeight;
  const sourceFrame = sourcePixels * (video.bitDepth > 8 ? 3 : 1.5);
  const topPixels = Math.min(sourcePixels, work.encodedRungs * pixelsOf1080);
  const decoded = sourceFrame * (queuedFrames + work.threads);
  // All smaller renditions together have about as many pixels as the largest one.
  const encoded = topPixels * 2 * 1.5 * (lookahead + work.threads);
  const toneMapped = video.isHdr ? topPixels * 12 * floatFrames : 0;
  const needed = (baseRssBytes + decoded + encoded + toneMapped) * 1.25;
  return Math.round(Math.min(largestRssBytes, Math.max(maxRssBytes, needed)));
}

const pixelsOf1080 = 2_073_600;

/** Address space for SVT-AV1. It starts many threads, and each reserves memory for its stack. */
const av1ReserveBytes = 1_000 * mebibyte;

/**
 * Returns the address space limit that matches a memory limit. Libraries take 0.3 GB, and every
 * encoder thread reserves a stack. (Measured: a four-rung ladder of 4K HDR uses 0.75 GB and
 * reserves 1.4 GB.)
 */
function planAddressSpace(encoderThreads: number, rssBytes = maxRssBytes): number {
  return rssBytes + (320 + encoderThreads * 24) * mebibyte;
}

/**
 * Returns limits for a run over an uploaded file or a part of it. They stop runaway processes but
 * not slow ones, because the limit for processor time grows with the pixels read and written.
 * Measured: 1080p25 H.264 to four rungs takes 1.4 CPU-seconds per second of video. The limit is ten
 * times that.
 */
export function planLimits(
  facts: MediaFacts,
  work: {
    decodedS: number;
    /** Number of rungs. A rung above 1080 lines counts as several, in proportion to its pixels. */
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
  const { timeline } = facts.video;
  // Parts close to each other are read in one pass, including the media between them.
  const spanS = timeline === null || work.decodedS === 0 ? 0 : mediaSpanS(timeline);
  const cpuS = 120 + Math.max(work.decodedS, spanS) * cpuPerS;
  return {
    addressSpaceBytes:
      planAddressSpace((work.encodedRungs + 1) * (work.threads + 2), rssBytes) +
      (isAv1 ? av1ReserveBytes : 0),
    rssBytes,
    cpuS,
    // Far more than the processor time, because requests have priority over background work.
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

/** Limits for reading headers and a few frames. */
export const probeLimits: RunLimits = {
  addressSpaceBytes: planAddressSpace(2),
  rssBytes: maxRssBytes,
  cpuS: 30,
  wallS: 60,
  outputBytes: 64 * mebibyte,
};

/** Limits for reading a whole file without decoding, and for runs over generated files. */
export const smallJobLimits: RunLimits = {
  addressSpaceBytes: planAddressSpace(4),
  rssBytes: maxRssBytes,
  cpuS: 600,
  wallS: 1800,
  outputBytes: 256 * mebibyte,
};
