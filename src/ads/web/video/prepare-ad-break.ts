import type { PublicAd } from "../../contract/ads.ts";
import { absoluteUrl } from "../../contract/vast-address.ts";
import { limits } from "#contract/limits.ts";
import {
  hasTimedOut,
  outOfTime,
  type AdBreak,
  type AdContext,
  type AdSlot,
  type BreakPlan,
} from "#web/features/player/core/ads/ad-provider.ts";
import { fetchAds } from "../api/fetch-ads.ts";
import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { secondsSinceBreak } from "../core/last-break.ts";
import { besideNow } from "../core/page-ads.ts";
import { isDirectFile, mediaType } from "../vast/media-choice.ts";
import type { PlayableAd, VmapBreak, VmapProblem } from "../vast/vast-ad.ts";
import {
  causeOfFailure,
  resolveTag,
  reportFailures,
  startChain,
  pixelDeps,
  type ChainBudget,
  type ResolvedTag,
} from "./browser-vast.ts";
import { createCountedBreak, maxPodAds } from "./create-ad-break.ts";
import type { Creative } from "./creative.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import { placesOf, vmapCodes } from "../vast/parse-vmap.ts";

interface PlanOptions {
  ad: PublicAd;
  /** URL of the VMAP document, which is the base of its relative URLs. */
  url: string;
  breaks: readonly VmapBreak[];
}

/** Fields of the list response that an ad break needs. */
interface Served {
  impression: Impression;
  podMaxS: number | undefined;
}

interface VmapPlan extends BreakPlan {
  /** Returns whether the document has a break in this slot. */
  has(slot: AdSlot, context: AdContext): boolean;
  /**
   * Prepares the break of a slot for an ad that was already served. `budget` is the rest of its
   * chain's limits.
   */
  prepareServed(
    slot: AdSlot,
    context: AdContext,
    served: Served & { budget?: ChainBudget },
  ): Promise<AdBreak | null>;
}

/**
 * Creates the plan of a VMAP document's breaks for one viewing of a video. Reports breaks that
 * can't be shown.
 */
function createVmapPlan({ ad, url, breaks }: PlanOptions): VmapPlan {
  for (const one of breaks) if (one.problem !== null) reportProblem(one, one.problem);

  /** Returns the breaks of a slot. Breaks at the same time play in sequence. */
  function breaksOf(slot: AdSlot, { positionS, durationS }: AdContext): VmapBreak[] {
    const wanted = { preroll: "start", midroll: null, postroll: "end" }[slot];
    if (wanted !== null) return breaks.filter((one) => placesOf(one, durationS)[0] === wanted);
    const distance = (one: VmapBreak) =>
      Math.min(...timesOf(one, durationS).map((timeS) => Math.abs(timeS - positionS)));
    const nearest = Math.min(...breaks.map(distance));
    return Number.isFinite(nearest) ? breaks.filter((one) => distance(one) === nearest) : [];
  }

  const plan: VmapPlan = {
    midrollTimes(durationS) {
      const times = breaks.flatMap((one) => timesOf(one, durationS));
      return [...new Set(times)].toSorted((a, b) => a - b);
    },
    hasPostroll: (durationS) => breaks.some((one) => placesOf(one, durationS)[0] === "end"),
    has: (slot, context) => breaksOf(slot, context).length > 0,

    async prepare(slot, context) {
      if (!plan.has(slot, context)) return null;
      const { categories, tags, durationS, startsInS, signal } = context;
      const sinceS = secondsSinceBreak();
      // Requests the ad again for each break, so that limits and rules apply and each break is
      // counted separately.
      const { ads, serve, podMaxS } = await fetchAds({
        placement: ad.placement,
        limit: 1,
        only: ad.id,
        categories,
        tags,
        beside: besideNow(),
        durationS: durationS > 0 ? durationS : undefined,
        sinceBreakS: sinceS === null ? null : sinceS + startsInS,
        signal,
      });
      if (ads.length === 0) return null;
      const impression = { adId: ad.id, serve, placement: ad.placement };
      return plan.prepareServed(slot, context, { impression, podMaxS });
    },

    async prepareServed(slot, context, { impression, podMaxS, budget = startChain() }) {
      const { signal, positionS } = context;
      const entries = await Promise.all(
        breaksOf(slot, context).map(async (one) => ({
          one,
          resolved: await resolveBreak(one, { signal, budget }),
        })),
      );
      const isLate = hasTimedOut(signal);
      if (signal.aborted && !isLate) return null;
      for (const { one, resolved } of entries) {
        reportFailures(resolved);
        const problem = problemOf(resolved);
        if (problem !== null) reportProblem(one, problem);
      }
      const ads = isLate
        ? []
        : entries.flatMap(({ one, resolved }) =>
            resolved.choice.plays.map((vast) => ({ one, vast })),
          );
      const [first, ...next] = ads.slice(0, maxPodAds);
      if (first === undefined) {
        const failed = entries.at(0)?.resolved;
        const cause = isLate ? "timeout" : failed === undefined ? "empty" : causeOfFailure(failed);
        console.warn("a break of a VMAP document has no ad to play:", cause);
        reportAdEvent(impression, "error", cause);
        return null;
      }
      return createCountedBreak({
        ad,
        impression,
        creative: {
          kind: "video",
          vast: first.vast,
          files: first.vast.mediaFiles,
          next: next.map(({ vast }) => vast),
          podMaxS,
          onAd: reportBreaks([first, ...next], positionS),
        },
        mediaPlayheadS: positionS,
      });
    },
  };
  return plan;

  function resolveBreak(
    one: VmapBreak,
    search: { signal: AbortSignal; budget: ChainBudget },
  ): Promise<ResolvedTag> {
    const { source, followsWrappers, index, allowsPods } = one;
    const document =
      source !== null && "url" in source ? { url: source.url } : { url, text: source?.text ?? "" };
    return resolveTag(
      ad,
      { ...document, followsWrappers, breakIndex: index },
      { ...search, maxAds: allowsPods ? maxPodAds : 1 },
    );
  }
}

/** Returns the times of a break inside the video. */
const timesOf = (one: VmapBreak, durationS: number): number[] =>
  placesOf(one, durationS).filter((place) => typeof place === "number");

/** Reports the start and the end of each `<AdBreak>` when its ads are played. */
function reportBreaks(ads: readonly { one: VmapBreak; vast: PlayableAd }[], positionS: number) {
  let current: VmapBreak | null = null;
  const send = (urls: readonly string[]) => sendAll(urls, { mediaPlayheadS: positionS }, pixelDeps);
  return (index: number | null): void => {
    const next = index === null ? null : (ads[index]?.one ?? null);
    if (next === current) return;
    if (current !== null) send(current.tracking.breakEnd);
    if (next !== null) send(next.tracking.breakStart);
    current = next;
  };
}

/**
 * Returns why a break has no VAST document, with a VMAP code. Problems inside it have VAST codes.
 */
function problemOf({ result }: ResolvedTag): VmapProblem | null {
  const failure = result.documentFailure;
  if (failure === null) return null;
  const { reason, cause } = failure;
  if (cause === "timeout") return { code: vmapCodes.timeout, reason };
  return { code: cause === "unreachable" ? vmapCodes.retrieval : vmapCodes.parsing, reason };
}

function reportProblem({ tracking }: VmapBreak, { code, reason }: VmapProblem): void {
  const encoded = encodeURIComponent(reason);
  const urls = tracking.error.map((url) =>
    url.replaceAll(/\[ERROR_?CODE\]/g, String(code)).replaceAll("[ERROR_MESSAGE]", encoded),
  );
  sendAll(urls, {}, pixelDeps);
}

/** Finds an ad for an ad break. Takes the first in the list that has something to show. */
export async function prepareAdBreak(slot: AdSlot, context: AdContext): Promise<AdBreak | null> {
  const { categories, tags, signal, positionS, durationS, startsInS } = context;
  const sinceS = secondsSinceBreak();
  const endsAtMs = performance.now() + limits.adFirstFrameMs + startsInS * 1000;
  const {
    ads: order,
    serve,
    podMaxS,
  } = await fetchAds({
    placement: slot,
    limit: limits.videoAdFetch,
    categories,
    tags,
    beside: besideNow(),
    // 0 until the duration is known.
    durationS: durationS > 0 ? durationS : undefined,
    sinceBreakS: sinceS === null ? null : sinceS + startsInS,
    signal,
  });
  return findFrom(0, { signal, endsAtMs });

  /** Returns the first ad from this index on that has something to show. */
  async function findFrom(
    start: number,
    { signal, endsAtMs }: { signal: AbortSignal; endsAtMs: number },
  ): Promise<AdBreak | null> {
    for (let index = start; index < order.length; index += 1) {
      const ad = order[index];
      if (ad === undefined) break;
      const impression: Impression = { adId: ad.id, serve, placement: slot };
      // The last ad gets all the remaining time. The others leave time for their successors.
      const behind = order.length - 1 - index;
      const step = startStep(signal, behind, endsAtMs - performance.now());
      const budget = startChain();
      let isPlanned = false;
      let planned: AdBreak | null = null;
      const creative = await findCreative(ad, impression, {
        signal: step.signal,
        maxAds: maxPodAds,
        budget,
        async onBreaks(url, breaks) {
          const plan = createVmapPlan({ ad, url, breaks });
          // Without a playable break, the site's own breaks apply, and other ads are tried.
          if (breaks.every(({ source }) => source === null)) {
            return reportAdEvent(impression, "error", "empty");
          }
          // In other placements, the document provides the ads of its break, but no times.
          if (slot === "preroll") context.onPlan(plan);
          isPlanned = !plan.has(slot, context);
          if (isPlanned) return;
          const served = { impression, podMaxS, budget };
          planned = await plan.prepareServed(slot, { ...context, signal: step.signal }, served);
        },
      });
      step.end();
      if (signal.aborted) return null;
      // No ad was requested. Not an error.
      if (planned !== null || isPlanned) return planned;
      if (creative !== null) {
        const limited = creative.kind === "video" ? { ...creative, podMaxS } : creative;
        const prepared = { ad, impression, creative: limited, mediaPlayheadS: positionS };
        if (behind === 0) return createCountedBreak(prepared);
        return createCountedBreak(prepared, (ending) =>
          findFrom(index + 1, {
            signal: ending,
            endsAtMs: performance.now() + limits.adFirstFrameMs / 2,
          }),
        );
      }
    }
    return null;
  }
}

/** Limits the time for one ad in a chain of fallbacks to an equal part of the remaining time. */
function startStep(signal: AbortSignal, behind: number, leftMs: number) {
  if (behind === 0) return { signal, end() {} };
  const step = new AbortController();
  const timer = setTimeout(() => step.abort(outOfTime()), Math.max(0, leftMs / (behind + 1)));
  return {
    signal: AbortSignal.any([signal, step.signal]),
    end: () => clearTimeout(timer),
  };
}

interface Search {
  signal: AbortSignal;
  /** Maximum number of ads in a pod. */
  maxAds: number;
  budget?: ChainBudget;
  /** Called if the tag has responded with VMAP. If absent, such a tag has nothing to play. */
  onBreaks?: (url: string, breaks: readonly VmapBreak[]) => Promise<void>;
}

/**
 * Returns an ad's creative: its video, or else an image with a link, its HTML, or its texts. The
 * ad's link is always the click-through. Null if its video can't be loaded.
 */
export async function findCreative(
  ad: PublicAd,
  impression: Impression,
  search: Search,
): Promise<Creative | null> {
  if (ad.vastTagUrl !== null) {
    const url = absoluteUrl(ad.vastTagUrl, window.location.href) ?? ad.vastTagUrl;
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

/**
 * Returns the ads to play in sequence. If the tag has nothing to play, reports it and returns an
 * empty list.
 */
async function findVastAds(
  ad: PublicAd,
  url: string,
  impression: Impression,
  search: Search,
): Promise<readonly PlayableAd[]> {
  const { signal } = search;
  const resolved = await resolveTag(ad, { url }, search);
  const isLate = hasTimedOut(signal);
  if (signal.aborted && !isLate) return [];
  const { breaks } = resolved.result;
  if (breaks !== undefined && search.onBreaks !== undefined) {
    await search.onBreaks(url, breaks);
    return [];
  }
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
