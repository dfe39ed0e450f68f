import type { AdResult, FailedAd, PlayableAd } from "./vast-ad.ts";

/** Ad for a slot that shows one ad, and the ads that failed before it. */
export interface Choice {
  play: PlayableAd | null;
  failed: FailedAd[];
}

/** Ads of an ad break in order, and those that failed. */
export interface Sequence {
  plays: PlayableAd[];
  failed: FailedAd[];
}

/**
 * Returns whether a stand-alone ad replaces this ad of a pod. Wrappers decide that themselves (VAST
 * 4.3, 3.19).
 */
export const wantsSubstitute = (ad: AdResult): boolean =>
  ad.outcome === "error" && (!ad.isWrapper || ad.fallbackOnNoAd === true);

/**
 * Chooses the ads of an ad break. A pod plays in sequence. If an ad of the pod fails, a stand-alone
 * ad replaces it, unless the failed ad is a wrapper without `fallbackOnNoAd` (VAST 4.3, 3.3.1 and
 * 3.19). Without a pod, the first playable ad is chosen.
 * @param max maximum number of ads.
 */
export function chooseSequence(results: readonly AdResult[], max: number): Sequence {
  const pod = results
    .filter((ad) => ad.sequence !== null)
    .toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  const standAlone = results.filter((ad) => ad.sequence === null);
  const plays: PlayableAd[] = [];
  const failed: FailedAd[] = [];

  function addStandAlone(): void {
    for (let ad = standAlone.shift(); ad !== undefined; ad = standAlone.shift()) {
      if (ad.outcome === "play") return void plays.push(ad);
      failed.push(ad);
    }
  }

  for (const ad of pod) {
    if (plays.length >= max) break;
    if (ad.outcome === "play") {
      plays.push(ad);
      continue;
    }
    failed.push(ad);
    if (wantsSubstitute(ad)) addStandAlone();
  }
  if (plays.length === 0) addStandAlone();
  return { plays, failed };
}

/** Chooses the ad for a slot that shows one ad. */
export function chooseForSlot(results: readonly AdResult[]): Choice {
  const { plays, failed } = chooseSequence(results, 1);
  return { play: plays[0] ?? null, failed };
}
