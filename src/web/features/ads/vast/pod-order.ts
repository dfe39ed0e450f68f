import type { AdResult, FailedAd, PlayableAd } from "./vast-ad.ts";

/** What a slot for one ad shows, and which failures came before it. */
export interface Choice {
  play: PlayableAd | null;
  failed: FailedAd[];
}

/**
 * Picks the ad for a slot that holds one. A pod goes by its sequence; where one of its ads fails a
 * stand-alone ad takes its place, unless the ad was a wrapper that did not ask for a substitute
 * (VAST 4.3, 3.3.1 and `fallbackOnNoAd` in 3.19). Without a pod the first that plays is taken.
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
