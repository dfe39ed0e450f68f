import { limits } from "#contract/limits.ts";

export interface AdTimes {
  /** Seconds until the ad can be skipped. 0 or less if it can be skipped now. */
  skipInS: number;
  /** Seconds until the ad ends. */
  leftS: number;
  /** Elapsed share of the ad, from 0 to 1. */
  progress: number;
  /** True once the maximum time of an ad has passed. */
  isCutOff: boolean;
}

interface AdPosition {
  /** Seconds since the ad became visible. */
  shownS: number;
  /** True for a bumper, which is shorter and can't be skipped. */
  isBumper?: boolean;
  /** Position of a video. Other ads follow the clock. */
  media?: {
    positionS: number;
    /** Measured duration. Null while unknown. */
    durationS: number | null;
    /** Skip offset of the VAST ad in media time. Null if it has none. */
    skipAtS: number | null;
  };
}

/**
 * Computes an ad's countdowns. It can be skipped after 5 s or at its VAST offset and ends after 15
 * s. A bumper ends after 6 s.
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
