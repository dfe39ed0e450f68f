import type { PublicAd } from "../../../../contract/ads.ts";
import { limits } from "../../../../contract/limits.ts";
import type { AdBreak, AdContext, AdSlot } from "../../player/core/ads/ad-provider.ts";
import { isOutOfTime, outOfTime } from "../../player/core/ads/out-of-time.ts";
import { fetchAds } from "../api/fetch-ads.ts";
import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { noteBreak, secondsSinceBreak } from "../core/last-break.ts";
import { besideNow, noteOnPage } from "../core/page-ads.ts";
import { orderByChance } from "../core/pick-ad.ts";
import { isDirectFile, mediaType } from "../vast/media-choice.ts";
import type { PlayableAd } from "../vast/vast-ad.ts";
import { causeOfFailure, resolveTag, reportFailures } from "./browser-vast.ts";
import { createAdBreak } from "./create-ad-break.ts";
import type { Creative } from "./creative.ts";

/** Of one document; the time of a pod is limited as well. */
const maxPodAds = 6;

/** Finds an ad for an ad break: the picked one, or the next one if it has nothing to show. */
export async function prepareAdBreak(slot: AdSlot, context: AdContext): Promise<AdBreak | null> {
  const { categories, tags, signal, positionS, durationS, startsInS } = context;
  const sinceS = secondsSinceBreak();
  const endsAtMs = performance.now() + limits.adFirstFrameMs + startsInS * 1000;
  const { ads, serve } = await fetchAds({
    placement: slot,
    types: ["video"],
    limit: limits.videoAdFetch,
    ...{ categories, tags, beside: besideNow() },
    // 0 before the video has told its length.
    durationS: durationS > 0 ? durationS : undefined,
    sinceBreakS: sinceS === null ? null : sinceS + startsInS,
    signal,
  });
  const order = orderByChance(ads, Math.random);
  for (const [at, ad] of order.entries()) {
    const impression: Impression = { adId: ad.id, serve, placement: slot };
    // The last one has what the content waits for it; the others leave time for those behind them.
    const behind = order.length - 1 - at;
    const step = startStep(signal, behind, endsAtMs - performance.now());
    const creative = await findCreative(ad, impression, { signal: step.signal, maxAds: maxPodAds });
    step.end();
    if (signal.aborted) return null;
    if (creative !== null) {
      return noted(ad.id, createAdBreak({ ad, impression, creative, mediaPlayheadS: positionS }));
    }
  }
  return null;
}

/** The time of one ad in a chain of fallbacks: an equal part of what is left. */
function startStep(signal: AbortSignal, behind: number, leftMs: number) {
  if (behind === 0) return { signal, end() {} };
  const step = new AbortController();
  const timer = setTimeout(() => step.abort(outOfTime()), Math.max(0, leftMs / (behind + 1)));
  return {
    signal: AbortSignal.any([signal, step.signal]),
    end: () => clearTimeout(timer),
  };
}

/** The same ad break. The next one waits from its end, if something was visible. */
function noted(adId: string, { play }: AdBreak): AdBreak {
  return {
    async play(stage) {
      let wasVisible = false;
      const onVisible = () => {
        wasVisible = true;
        stage.onVisible();
      };
      const leave = noteOnPage(stage, adId);
      const outcome = await play({ ...stage, onVisible }).finally(leave);
      if (wasVisible) noteBreak();
      return outcome;
    },
  };
}

interface Search {
  signal: AbortSignal;
  /** How many ads of a pod are wanted. */
  maxAds: number;
}

/**
 * The creative of an ad: its video, otherwise an image with a link, its HTML, or its texts. A link is
 * the click-through of each. Null if its video cannot be loaded.
 */
export async function findCreative(
  ad: PublicAd,
  impression: Impression,
  search: Search,
): Promise<Creative | null> {
  if (ad.vastTagUrl !== null) {
    const url = new URL(ad.vastTagUrl, window.location.href).href;
    if (isDirectFile(url)) return { kind: "video", vast: null, files: [directFile(url)] };
    const [first, ...next] = await findVastAds(ad, url, impression, search);
    return first ? { kind: "video", vast: first, files: first.mediaFiles, next } : null;
  }
  if (ad.linkUrl !== null && ad.imageUrl !== null) return { kind: "card", imageUrl: ad.imageUrl };
  if (ad.content !== null) return { kind: "html", content: ad.content };
  return { kind: "card", imageUrl: ad.imageUrl };
}

const directFile = (url: string) => ({
  url,
  type: mediaType(null, url),
  widthPx: 0,
  heightPx: 0,
  bitrateKbps: 0,
});

/** The ads to play in sequence; none where the tag has nothing to play, which is reported. */
async function findVastAds(
  ad: PublicAd,
  url: string,
  impression: Impression,
  search: Search,
): Promise<readonly PlayableAd[]> {
  const { signal } = search;
  const resolved = await resolveTag(ad, url, search);
  const isLate = isOutOfTime(signal);
  if (signal.aborted && !isLate) return [];
  reportFailures(resolved);
  const { plays } = resolved.choice;
  if (isLate) {
    console.warn("a VAST tag took too long:", url);
    reportAdEvent(impression, "error", "timeout");
    return [];
  }
  if (plays.length === 0) {
    const reason =
      resolved.result.documentFailure?.reason ?? resolved.choice.failed.at(0)?.reason ?? "no ad";
    console.warn("a VAST tag has no ad to play:", reason);
    reportAdEvent(impression, "error", causeOfFailure(resolved));
  }
  return plays;
}
