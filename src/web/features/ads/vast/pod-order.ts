import type { AdResult, FailedAd, PlayableAd } from "./vast-ad.ts";

/** The ad for a slot that shows one ad, and the ads that failed before it. */
export interface Choice {
  play: PlayableAd | null;
  failed: FailedAd[];
}

/**
 * Chooses the ad for a slot that shows one ad. A pod is played in sequence. If an ad of the pod fails,
 * a stand-alone ad replaces it, unless the failed ad is a wrapper without `fallbackOnNoAd`
 * (VAST 4.3, 3.3.1 and 3.19). Without a pod the first playable ad is chosen.
 */
export function chooseForSlot(results: readonly AdResult[]): Choice {
  const pod = results
    .filter((ad) => ad.sequence !== null)
    .toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  const standAlone = results.filter((ad) => ad.sequence === null);
  const failed: FailedAd[] = [];

  function firstThatPlays(ads: AdResult[]): PlayableAd | null {
    for (let ad = ads.shift(); ad !== undefined; ad = ads.shift()) {
      if (ad.outcome === "play") return ad;
      failed.push(ad);
    }
    return null;
  }

  for (const ad of pod) {
    if (ad.outcome === "play") return { play: ad, failed };
    failed.push(ad);
    const wantsSubstitute = ad.isWrapper ? ad.fallbackOnNoAd === true : true;
    const substitute = wantsSubstitute ? firstThatPlays(standAlone) : null;
    if (substitute !== null) return { play: substitute, failed };
  }
  return { play: firstThatPlays(standAlone), failed };
}
