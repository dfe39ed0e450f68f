import type { PublicAd, PublicAdList } from "#ads/contract/ads.ts";
import { limits } from "#contract/limits.ts";
import {
  endOf,
  entryAt,
  hasUpcomingAd,
  insertAd,
  nextAdPlace,
  removeAds,
  type Timeline,
} from "./timeline.ts";

/**
 * Milliseconds for which a received ad may be shown. The server reserves its impression for 20 s.
 * Later it counts if the ad's caps still have room.
 */
const keptMs = 50_000;
/** Milliseconds until the next request after an empty list or a failure. Doubles each time. */
const firstPauseMs = 30_000;
const longestPauseMs = 300_000;

/**
 * Picks the next ad: a new one if the rotation has space, or else the one shown longest ago.
 * @param rotation ids in the order in which they were shown.
 * @returns null for an empty list.
 */
export function takeTurn(
  rotation: readonly string[],
  ads: readonly PublicAd[],
): { ad: PublicAd; rotation: readonly string[] } | null {
  const max = limits.feedAdFetch;
  // A list that isn't full contains all eligible ads.
  const members =
    ads.length < max ? rotation.filter((id) => ads.some((ad) => ad.id === id)) : rotation;
  const fresh = ads.find(({ id }) => !members.includes(id));
  const oldest = members.flatMap((member) => ads.find(({ id }) => id === member) ?? []).at(0);
  const ad = members.length < max ? (fresh ?? oldest) : (oldest ?? fresh);
  if (ad === undefined) return null;
  return { ad, rotation: [...members.filter((id) => id !== ad.id), ad.id].slice(-max) };
}

interface FeedAdsDeps {
  fetchAds(signal: AbortSignal): Promise<PublicAdList>;
  read(): { timeline: Timeline; place: number };
  change(timeline: Timeline): void;
  signal: AbortSignal;
  rotation: readonly string[];
}

/** Inserts ads into the feed. Requests each one when it is one item away. */
export function createFeedAds(deps: FeedAdsDeps) {
  const { fetchAds, read, change, signal } = deps;
  let { rotation } = deps;
  let isAsking = false;
  let pauseMs = 0;
  let askAgainAtMs = 0;
  let expiry: ReturnType<typeof setTimeout> | undefined;

  /** Removes the upcoming ad, because it is too old. */
  function dropUpcoming(): void {
    const { timeline, place } = read();
    change(removeAds(timeline, place, (_entry, at) => at > place));
  }

  async function ask(): Promise<void> {
    isAsking = true;
    const askedAtMs = Date.now();
    try {
      const { ads, serve } = await fetchAds(signal);
      if (signal.aborted) return;
      const turn = takeTurn(rotation, ads);
      rotation = turn?.rotation ?? [];
      if (turn === null) return pause();
      pauseMs = 0;
      put(turn.ad, serve, askedAtMs);
    } catch (error) {
      // A blocked or failed request leaves a feed without ads.
      if (signal.aborted) return;
      console.warn("couldn't fetch ads", error);
      pause();
    } finally {
      isAsking = false;
    }
  }

  function pause(): void {
    pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2));
    askAgainAtMs = Date.now() + pauseMs;
  }

  function put(ad: PublicAd, serve: string, askedAtMs: number): void {
    const { timeline, place } = read();
    const at = nextAdPlace(timeline, place);
    const leftMs = askedAtMs + keptMs - Date.now();
    if (at > endOf(timeline) || leftMs <= 0) return;
    change(insertAd(timeline, at, { ad, serve }));
    clearTimeout(expiry);
    expiry = setTimeout(dropUpcoming, leftMs);
  }

  signal.addEventListener("abort", () => clearTimeout(expiry), { once: true });

  return {
    /** Updates the ads after a move or after new videos. */
    follow(): void {
      const { timeline: before, place } = read();
      const isAd = entryAt(before, place)?.kind === "ad";
      const timeline = isAd ? { ...before, adEnd: place + 1 } : before;
      change(timeline);
      const next = nextAdPlace(timeline, place);
      const isDue = next <= place + 2 && next <= endOf(timeline);
      if (!isDue || isAsking || hasUpcomingAd(timeline, place)) return;
      if (Date.now() >= askAgainAtMs) void ask();
    },
    /** Removes an ad that the visitor has stopped. */
    drop(adId: string): void {
      const { timeline, place } = read();
      rotation = rotation.filter((id) => id !== adId);
      change(removeAds(timeline, place, ({ ad }) => ad.id === adId));
    },
    rotation: () => rotation,
  };
}
