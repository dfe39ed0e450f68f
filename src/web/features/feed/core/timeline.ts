import type { PublicAd, PublicAdList } from "#ads/contract/ads.ts";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { limits } from "#contract/limits.ts";

export type FeedEntry =
  | { kind: "video"; key: string; video: FeedVideo }
  | { kind: "ad"; key: string; ad: PublicAd; serve: string };

/** The ads that take turns, and the token of the response that contained them. */
export type AdRotation = Pick<PublicAdList, "ads" | "serve">;
export const noAds: AdRotation = { ads: [], serve: "" };

/**
 * The items of the feed by place. The place of an item never changes once it may have been on the
 * screen. Places start below zero when earlier clips are restored.
 */
export interface Timeline {
  readonly firstPlace: number;
  /** The place that is announced as number 1. It stays when earlier entries are dropped. */
  readonly origin: number;
  readonly entries: readonly FeedEntry[];
}

export const emptyTimeline: Timeline = { firstPlace: 0, origin: 0, entries: [] };

export function entryAt(timeline: Timeline, place: number): FeedEntry | null {
  return timeline.entries[place - timeline.firstPlace] ?? null;
}

/** The position that is announced to screen readers, from 1. */
export function numberOf(timeline: Timeline, place: number): number {
  return place - timeline.origin + 1;
}

/** One past the last place. */
export function endOf(timeline: Timeline): number {
  return timeline.firstPlace + timeline.entries.length;
}

function videosSinceAd(entries: readonly FeedEntry[]): number {
  const lastAd = entries.findLastIndex(({ kind }) => kind === "ad");
  return entries.length - 1 - lastAd;
}

/** Appends videos, and after every third one the next ad of the rotation, if there are ads. */
function appendVideos(
  timeline: Timeline,
  videos: readonly FeedVideo[],
  { ads, serve }: AdRotation,
): Timeline {
  const entries = [...timeline.entries];
  let sinceAd = videosSinceAd(entries);
  let shownAds = entries.filter(({ kind }) => kind === "ad").length;
  const putAd = () => {
    const ad = ads[shownAds % ads.length];
    if (ad === undefined || sinceAd < limits.feedAdEvery) return;
    entries.push({ kind: "ad", key: `ad-${timeline.firstPlace + entries.length}`, ad, serve });
    shownAds += 1;
    sinceAd = 0;
  };
  for (const video of videos) {
    putAd();
    const key = `video-${timeline.firstPlace + entries.length}-${video.id}`;
    entries.push({ kind: "video", key, video });
    sinceAd += 1;
  }
  putAd();
  return { ...timeline, entries };
}

/** Entries before `fixedEnd` were on the screen or next to it and stay. Later ones are laid out again. */
export function extendTimeline(
  timeline: Timeline,
  videos: readonly FeedVideo[],
  rotation: AdRotation,
  fixedEnd: number,
): Timeline {
  const keep = Math.min(timeline.entries.length, Math.max(0, fixedEnd - timeline.firstPlace));
  const later = timeline.entries
    .slice(keep)
    .flatMap((entry) => (entry.kind === "video" ? [entry.video] : []));
  const fixed = { ...timeline, entries: timeline.entries.slice(0, keep) };
  return appendVideos(fixed, [...later, ...videos], rotation);
}

/** Whether every ad of the rotation stands at this place or before it. */
export function isUsedUp({ ads, serve }: AdRotation, timeline: Timeline, place: number): boolean {
  const used = timeline.entries
    .slice(0, place - timeline.firstPlace + 1)
    .filter((entry) => entry.kind === "ad" && entry.serve === serve);
  return ads.length > 0 && used.length >= ads.length;
}

/** Puts earlier entries in front, at places below the present ones. */
export function prependEntries(timeline: Timeline, earlier: readonly FeedEntry[]): Timeline {
  const firstPlace = timeline.firstPlace - earlier.length;
  return { firstPlace, origin: firstPlace, entries: [...earlier, ...timeline.entries] };
}

/** Drops entries more than `reach` places before `place`, so that a long session does not fill memory. */
export function dropBefore(timeline: Timeline, place: number, reach: number): Timeline {
  const surplus = place - reach - timeline.firstPlace;
  if (surplus <= 0) return timeline;
  return {
    ...timeline,
    firstPlace: timeline.firstPlace + surplus,
    entries: timeline.entries.slice(surplus),
  };
}

/** Changes every entry of this video. */
export function patchVideo(
  timeline: Timeline,
  videoId: string,
  patch: Partial<FeedVideo>,
): Timeline {
  return {
    ...timeline,
    entries: timeline.entries.map((entry) =>
      entry.kind === "video" && entry.video.id === videoId
        ? { ...entry, video: { ...entry.video, ...patch } }
        : entry,
    ),
  };
}
