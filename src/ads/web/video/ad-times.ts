import { limits } from "#contract/limits.ts";

export interface AdTimes {
  /** Seconds until the ad can be skipped; 0 or less if it can be skipped now. */
  skipInS: number;
  /** Seconds until the ad ends. */
  leftS: number;
  /** Elapsed share of the ad, 0 to 1. */
  progress: number;
  /** True once the maximum time of an ad has passed. */
  isCutOff: boolean;
}

interface AdPosition {
  /** Seconds since the first visible moment. */
  shownS: number;
  /** True for a shorter ad that can't be skipped. */
  isBumper?: boolean;
  /** Position of a video. Other ads follow the clock. */
  media?: {
    positionS: number;
    /** Measured duration; null while unknown. */
    durationS: number | null;
    /** Skip offset of the VAST ad, in media time; null without one. */
    skipAtS: number | null;
  };
}

/**
 * Computes an ad's countdowns: it can be skipped after 5 s or at its VAST offset, and ends after 15
 * s, a bumper after 6 s.
 */
export function adTimes({ shownS, isBumper = false, media }: AdPosition): AdTimes {
  const { adSkipAfterS, adAutoCompleteS, adBumperS } = limits;
  const maxS = isBumper ? adBumperS : adAutoCompleteS;
  const positionS = media?.positionS ?? shownS;
  const lengthS = Math.min(media?.durationS ?? maxS, maxS);
  const leftS = Math.max(0, Math.min(lengthS - positionS, maxS - shownS));
  const skipAtS = media?.skipAtS ?? null;
  return {
    skipInS: skipAtS === null ? adSkipAfterS - shownS : Math.min(skipAtS, maxS) - positionS,
    leftS,
    progress: lengthS > 0 ? 1 - leftS / lengthS : 0,
    isCutOff: shownS >= maxS,
  };
}
