import type { PublicAd } from "../../contract/ads.ts";
import {
  type AdBreak,
  type AdContext,
  type AdSlot,
  type BreakPlan,
  hasTimedOut,
} from "#web/features/player/core/ads/ad-provider.ts";
import { fetchAds } from "../api/fetch-ads.ts";
import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { secondsSinceBreak } from "../core/last-break.ts";
import { besideNow } from "../core/page-ads.ts";
import {
  causeOfFailure,
  pixelDeps,
  reportFailures,
  resolveTag,
  type ResolvedTag,
  startChain,
  type ChainBudget,
} from "../video/browser-vast.ts";
import { createCountedBreak, maxPodAds } from "../video/create-ad-break.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import type { PlayableAd, VmapBreak, VmapProblem } from "../vast/vast-ad.ts";
import { placesOf, vmapCodes } from "./parse-vmap.ts";

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

export interface VmapPlan extends BreakPlan {
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
export function createVmapPlan({ ad, url, breaks }: PlanOptions): VmapPlan {
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
