import type { PublicAd } from "../../../../contract/ads.ts";
import { limits } from "../../../../contract/limits.ts";
import type { AdBreak, AdContext, AdSlot } from "../../player/core/ads/ad-provider.ts";
import { fetchSpots } from "../api/fetch-spots.ts";
import { reportSpot, type Display } from "../api/report-spot.ts";
import { orderByChance } from "../core/pick.ts";
import { isDirectFile, mediaType } from "../vast/media-choice.ts";
import type { PlayableAd } from "../vast/vast-ad.ts";
import { resolveTag, tellFailures } from "./browser-vast.ts";
import { createBreak, type Creative } from "./create-break.ts";

/** Finds an ad for a break: the one that chance picks, or the next where it has nothing to show. */
export async function prepareBreak(slot: AdSlot, context: AdContext): Promise<AdBreak | null> {
  const { categories, signal, positionS } = context;
  const { ads, serve } = await fetchSpots({
    placement: slot,
    types: ["video"],
    limit: limits.videoAdFetch,
    categories,
    signal,
  });
  for (const ad of orderByChance(ads, Math.random)) {
    const display: Display = { adId: ad.id, serve, placement: slot };
    const creative = await findCreative(ad, display, signal);
    if (signal.aborted) return null;
    if (creative !== null) return createBreak({ ad, display, creative, mediaPlayheadS: positionS });
  }
  return null;
}

/**
 * What an ad shows: its film, else a card that links, else its HTML, else its words. Null where it
 * has a film that cannot be had.
 */
export async function findCreative(
  ad: PublicAd,
  display: Display,
  signal: AbortSignal,
): Promise<Creative | null> {
  if (ad.vastTagUrl !== null) {
    const url = new URL(ad.vastTagUrl, window.location.href).href;
    if (isDirectFile(url)) return { kind: "film", vast: null, files: [directFile(url)] };
    const playable = await findVastAd(ad, url, display, signal);
    return playable && { kind: "film", vast: playable, files: playable.mediaFiles };
  }
  if (ad.linkUrl !== null) return { kind: "card", imageUrl: ad.imageUrl };
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

async function findVastAd(
  ad: PublicAd,
  url: string,
  display: Display,
  signal: AbortSignal,
): Promise<PlayableAd | null> {
  const resolved = await resolveTag(ad, url, signal);
  if (signal.aborted) return null;
  tellFailures(resolved);
  const { play } = resolved.choice;
  if (play === null) {
    const reason =
      resolved.result.documentFailure?.reason ?? resolved.choice.failed.at(0)?.reason ?? "no ad";
    console.warn("a VAST tag gave nothing to play:", reason);
    reportSpot(display, "error");
  }
  return play;
}
