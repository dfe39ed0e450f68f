import type { PublicAd } from "#ads/contract/ads.ts";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { limits } from "#contract/limits.ts";

export type FeedEntry =
  | { kind: "video"; key: string; video: FeedVideo }
  | { kind: "ad"; key: string; ad: PublicAd; serve: string };

/**
 * Items of the feed by place. The item on the screen keeps its place, and the items behind it keep
 * their distance. Places start below zero when earlier clips are restored.
 */
export interface Timeline {
  readonly firstPlace: number;
  /** Place that is announced as number 1. Unchanged when earlier entries are dropped. */
  readonly origin: number;
  readonly entries: readonly FeedEntry[];
  /** One past the place of the last ad that was on screen. Ads themselves are removed. */
  readonly adEnd: number;
  /** Number of entries created so far, used for their keys. */
  readonly made: number;
}

export const emptyTimeline: Timeline = {
  firstPlace: 0,
  origin: 0,
  entries: [],
  adEnd: 0,
  made: 0,
};

export function entryAt(timeline: Timeline, place: number): FeedEntry | null {
  return timeline.entries[place - timeline.firstPlace] ?? null;
}

/** Returns the video of an entry. Null for an ad or no entry. */
export function videoOf(entry: FeedEntry | null): FeedVideo | null {
  return entry?.kind === "video" ? entry.video : null;
}

/** Returns the position announced to screen readers, starting at 1. */
export function numberOf(timeline: Timeline, place: number): number {
  return place - timeline.origin + 1;
}

/** Returns one past the last place. */
export function endOf(timeline: Timeline): number {
  return timeline.firstPlace + timeline.entries.length;
}

export function appendVideos(timeline: Timeline, videos: readonly FeedVideo[]): Timeline {
  const entries = videos.map((video, index) => ({
    kind: "video" as const,
    key: `video-${timeline.made + index}`,
    video,
  }));
  return {
    ...timeline,
    entries: [...timeline.entries, ...entries],
    made: timeline.made + entries.length,
  };
}

/**
 * Returns the place of the next ad, after every third video but not on screen. May be past the end.
 */
export function nextAdPlace({ adEnd }: Timeline, place: number): number {
  return Math.max(adEnd + limits.feedAdEvery, place + 1);
}

export const hasUpcomingAd = (timeline: Timeline, place: number): boolean =>
  timeline.entries.slice(place + 1 - timeline.firstPlace).some(({ kind }) => kind === "ad");

export function insertAd(
  timeline: Timeline,
  place: number,
  { ad, serve }: { ad: PublicAd; serve: string },
): Timeline {
  const entry: FeedEntry = { kind: "ad", key: `ad-${timeline.made}`, ad, serve };
  return {
    ...timeline,
    entries: timeline.entries.toSpliced(place - timeline.firstPlace, 0, entry),
    made: timeline.made + 1,
  };
}

/** Removes ads. Items behind the one at `place` keep their distance to it. */
export function removeAds(
  timeline: Timeline,
  place: number,
  isRemoved: (entry: FeedEntry & { kind: "ad" }, place: number) => boolean,
): Timeline {
  const { firstPlace, adEnd } = timeline;
  const kept: FeedEntry[] = [];
  let removedBehind = 0;
  let end = adEnd;
  for (const [index, entry] of timeline.entries.entries()) {
    const at = firstPlace + index;
    if (entry.kind === "video" || !isRemoved(entry, at)) kept.push(entry);
    else if (at < place) removedBehind += 1;
    // The next item replaces a removed ad on screen.
    else if (at < adEnd) end -= 1;
  }
  if (kept.length === timeline.entries.length) return timeline;
  return { ...timeline, firstPlace: firstPlace + removedBehind, adEnd: end, entries: kept };
}

/** Drops everything after `place`. */
export function dropAfter(timeline: Timeline, place: number): Timeline {
  const { firstPlace, entries } = timeline;
  return { ...timeline, entries: entries.slice(0, place - firstPlace + 1) };
}

/** Adds earlier videos in front, at places below the existing ones. */
export function prependVideos(timeline: Timeline, videos: readonly FeedVideo[]): Timeline {
  const earlier = appendVideos(emptyTimeline, videos).entries.map((entry) => ({
    ...entry,
    key: `earlier-${entry.key}`,
  }));
  const firstPlace = timeline.firstPlace - earlier.length;
  return {
    ...timeline,
    firstPlace,
    origin: firstPlace,
    entries: [...earlier, ...timeline.entries],
  };
}

/**
 * Drops entries more than `reach` places before `place`, so that long sessions don't fill the
 * memory.
 */
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
