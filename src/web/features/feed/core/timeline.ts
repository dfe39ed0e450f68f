import type { PublicAd } from "../../../../contract/ads.ts";
import type { FeedVideo } from "../../../../contract/feed.ts";
import { limits } from "../../../../contract/limits.ts";

export type FeedEntry =
  | { kind: "video"; key: string; video: FeedVideo }
  | { kind: "ad"; key: string; ad: PublicAd };

/**
 * What stands in the feed, by place. Places never change once somebody may have seen them; they may
 * begin below zero when earlier clips are brought back.
 */
export interface Timeline {
  readonly firstPlace: number;
  /** The place that is number one to people; it stays when what lies far behind is forgotten. */
  readonly origin: number;
  readonly entries: readonly FeedEntry[];
}

export const emptyTimeline: Timeline = { firstPlace: 0, origin: 0, entries: [] };

export function entryAt(timeline: Timeline, place: number): FeedEntry | null {
  return timeline.entries[place - timeline.firstPlace] ?? null;
}

/** The position that people and screen readers are told, from 1. */
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

/** Appends videos; after every third one comes an ad out of the rotation, where there are ads. */
function appendVideos(
  timeline: Timeline,
  videos: readonly FeedVideo[],
  ads: readonly PublicAd[],
): Timeline {
  const entries = [...timeline.entries];
  let sinceAd = videosSinceAd(entries);
  let shownAds = entries.filter(({ kind }) => kind === "ad").length;
  const putAd = () => {
    const ad = ads[shownAds % ads.length];
    if (ad === undefined || sinceAd < limits.feedAdEvery) return;
    entries.push({ kind: "ad", key: `ad-${timeline.firstPlace + entries.length}`, ad });
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

/** `fixedEnd`: places below it were on the screen or next to it; what is behind may be laid anew. */
export function extendTimeline(
  timeline: Timeline,
  videos: readonly FeedVideo[],
  ads: readonly PublicAd[],
  fixedEnd: number,
): Timeline {
  const keep = Math.min(timeline.entries.length, Math.max(0, fixedEnd - timeline.firstPlace));
  const behind = timeline.entries
    .slice(keep)
    .flatMap((entry) => (entry.kind === "video" ? [entry.video] : []));
  const fixed = { ...timeline, entries: timeline.entries.slice(0, keep) };
  return appendVideos(fixed, [...behind, ...videos], ads);
}

/** Puts earlier entries in front, at places below the present ones. */
export function prependEntries(timeline: Timeline, earlier: readonly FeedEntry[]): Timeline {
  const firstPlace = timeline.firstPlace - earlier.length;
  return { firstPlace, origin: firstPlace, entries: [...earlier, ...timeline.entries] };
}

/** Lets go of what lies more than `reach` places before `place`: a long evening must not fill memory. */
export function dropBefore(timeline: Timeline, place: number, reach: number): Timeline {
  const surplus = place - reach - timeline.firstPlace;
  if (surplus <= 0) return timeline;
  return {
    ...timeline,
    firstPlace: timeline.firstPlace + surplus,
    entries: timeline.entries.slice(surplus),
  };
}

/** The same video everywhere it stands, with other values. */
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
