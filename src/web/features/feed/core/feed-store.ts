import type { PublicAdList } from "#ads/contract/ads.ts";
import type { FeedList, FeedVideo } from "#contract/lists/feed.ts";
import { createStore } from "#web/lib/store.ts";
import { createFeedAds } from "./feed-ads.ts";
import {
  appendVideos,
  dropAfter,
  dropBefore,
  emptyTimeline,
  endOf,
  entryAt,
  patchVideo,
  prependVideos,
  removeAds,
  videoOf,
  type Timeline,
} from "./timeline.ts";

export interface FeedState {
  timeline: Timeline;
  /** Place on screen. */
  place: number;
  /** Direction of the latest move. The neighbor in this direction is likely to be next. */
  direction: 1 | -1;
  /** State of the request for more videos. */
  loading: "idle" | "busy" | "failed";
  /** True if there is nothing to show and no request is running. */
  isEmpty: boolean;
}

export interface FeedSources {
  fetchFeed(
    from: { cursor: string } | { shownSlugs: readonly string[] },
    signal: AbortSignal,
  ): Promise<FeedList>;
  fetchAds(signal: AbortSignal): Promise<PublicAdList>;
}

/** Items that the page contained. */
export interface FeedHead {
  videos: readonly FeedVideo[];
  nextCursor: string | null;
  /** True if the server couldn't list the videos. */
  hasFailed: boolean;
}

/** State for restoring the feed at the same position. */
export interface FeedSnapshot {
  /** Without ads, which must be requested again. */
  timeline: Timeline;
  place: number;
  cursor: string | null;
  hasSession: boolean;
  /** Ids of the ads in rotation. */
  rotation: readonly string[];
}

/** A clip and its neighbors, which are restored after a reload. */
export interface FeedSurroundings {
  /** Includes this visitor's like and favorite, which the cached page lacks. */
  clip: FeedVideo;
  before: readonly FeedVideo[];
  after: readonly FeedVideo[];
  cursor: string | null;
}

/** Number of remaining places at which the next page is fetched. */
const fetchAhead = 6;
/** Number of earlier entries retained. */
const keptBehind = 50;
const retryAfterMs = 5000;

/** Creates the state of the feed: its items, the place on screen, and requests for more. */
export function createFeedStore(head: FeedHead | FeedSnapshot, sources: FeedSources) {
  const life = new AbortController();
  const session = createFeedSession(sources.fetchFeed, head, life.signal);
  let hasAds = false;
  let isStarted = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const store = createStore<FeedState>(initialState(head));

  const ads = createFeedAds({
    fetchAds: sources.fetchAds,
    read: store.get,
    change: (changed) => store.commit({ timeline: changed }),
    signal: life.signal,
    rotation: "timeline" in head ? head.rotation : [],
  });
  const followAds = () => {
    if (hasAds) ads.follow();
  };

  function isNearEnd(): boolean {
    const { timeline: now, place } = store.get();
    return endOf(now) - place <= fetchAhead;
  }

  async function fetchMore(): Promise<void> {
    if (store.get().loading === "busy" || life.signal.aborted) return;
    clearTimeout(retryTimer);
    store.commit({ loading: "busy" });
    try {
      const page = await session.fetchNext(lastSlugs(store.get().timeline));
      if (page === null) return;
      for (const { id, ...mark } of page.shown) patch(id, mark);
      const { timeline: before } = store.get();
      const timeline = appendVideos(before, withoutRepeat(before, page.videos));
      store.commit({ timeline, loading: "idle", isEmpty: timeline.entries.length === 0 });
      followAds();
      // The next session begins at the end of this one.
      if (isNearEnd() && page.videos.length > 0) void fetchMore();
    } catch (error) {
      console.warn("couldn't fetch the feed", error);
      store.commit({ loading: "failed" });
      retryTimer = setTimeout(() => void fetchMore(), retryAfterMs);
    }
  }

  function patch(videoId: string, values: Partial<FeedVideo>): void {
    store.commit({ timeline: patchVideo(store.get().timeline, videoId, values) });
  }

  const onOnline = () => {
    if (store.get().loading === "failed") void fetchMore();
  };

  return {
    store,
    /** Fetches the next videos, and ads if the site has any. Only the first call has an effect. */
    start(site: { hasAds: boolean }): void {
      if (isStarted) return;
      isStarted = true;
      window.addEventListener("online", onOnline, { signal: life.signal });
      hasAds = site.hasAds;
      followAds();
      if (isNearEnd()) void fetchMore();
    },
    goTo(place: number): void {
      const { timeline: now, place: before } = store.get();
      if (place === before || entryAt(now, place) === null) return;
      store.commit({ place, direction: place > before ? 1 : -1 });
      if (isStarted && isNearEnd()) void fetchMore();
      followAds();
    },
    /**
     * Drops old entries, and ads that were shown. This changes the first place, so call it when
     * nothing scrolls.
     */
    tidy(): void {
      const { timeline: now, place } = store.get();
      const recent = dropBefore(now, place, keptBehind);
      // A shown ad returns only if the server sends it again.
      const timeline = removeAds(recent, place, (_entry, at) => at < place - 1);
      store.commit({ timeline });
    },
    /** Fetches again after a failure. */
    retry: (): void => void fetchMore(),
    /**
     * Starts a new session after preferences have changed, and drops everything after the current
     * clip. Resolves with whether there is a next clip.
     */
    async refresh(): Promise<boolean> {
      const { timeline: now, place } = store.get();
      session.restart();
      store.commit({
        loading: "idle",
        timeline: dropAfter(now, place),
      });
      await fetchMore();
      return endOf(store.get().timeline) > place + 1;
    },
    patch,
    /** Removes an ad that the visitor has stopped. */
    dropAd: ads.drop,
    /** Restores the neighbors of the current clip after a reload. */
    restore({ clip, before, after, cursor: from }: FeedSurroundings): void {
      if (isStarted) return;
      const { timeline: now, place } = store.get();
      const later = appendVideos(dropAfter(now, place), after);
      store.commit({ timeline: prependVideos(later, before) });
      patch(clip.id, { isLiked: clip.isLiked, isFavorite: clip.isFavorite });
      session.resume(from);
    },
    snapshot(): FeedSnapshot {
      const { timeline: now, place } = store.get();
      const videos = removeAds(now, place, () => true);
      return {
        timeline: videos,
        place: Math.min(place, endOf(videos) - 1),
        ...session.snapshot(),
        rotation: ads.rotation(),
      };
    },
    dispose(): void {
      clearTimeout(retryTimer);
      life.abort();
    },
  };
}

export type FeedStore = ReturnType<typeof createFeedStore>;

/** Server session that continues this visitor's feed. */
function createFeedSession(
  fetchFeed: FeedSources["fetchFeed"],
  head: FeedHead | FeedSnapshot,
  signal: AbortSignal,
) {
  const isRestored = "timeline" in head;
  let cursor = isRestored ? head.cursor : head.nextCursor;
  let hasBegun = isRestored ? head.hasSession : head.nextCursor !== null;
  /** Number of restarts. Responses to requests before the latest one are dropped. */
  let restarts = 0;
  return {
    /** @returns null if the session was restarted or the feed was closed meanwhile. */
    async fetchNext(shownSlugs: string[]): Promise<FeedList | null> {
      const asked = restarts;
      const isDropped = () => signal.aborted || asked !== restarts;
      const from = cursor !== null ? { cursor } : { shownSlugs: hasBegun ? [] : shownSlugs };
      try {
        const page = await fetchFeed(from, signal);
        if (isDropped()) return null;
        cursor = page.nextCursor;
        hasBegun = true;
        return page;
      } catch (error) {
        if (isDropped()) return null;
        throw error;
      }
    },
    restart() {
      restarts += 1;
      cursor = null;
      hasBegun = false;
    },
    resume(from: string | null) {
      cursor = from;
      hasBegun = true;
    },
    snapshot: () => ({ cursor, hasSession: hasBegun }),
  };
}

function initialState(head: FeedHead | FeedSnapshot): FeedState {
  const isRestored = "timeline" in head;
  const timeline = isRestored ? head.timeline : appendVideos(emptyTimeline, head.videos);
  const hasFailed = !isRestored && head.hasFailed;
  return {
    timeline,
    place: isRestored ? head.place : 0,
    direction: 1,
    loading: hasFailed ? "failed" : "idle",
    isEmpty: timeline.entries.length === 0 && !hasFailed,
  };
}

/** Removes the last video shown from the start of a new session. */
function withoutRepeat({ entries }: Timeline, videos: readonly FeedVideo[]): readonly FeedVideo[] {
  const last = entries.findLast((entry) => entry.kind === "video");
  if (videos.length <= 1) return videos;
  return videos.filter(({ id }, index) => index > 0 || id !== last?.video.id);
}

function lastSlugs({ entries }: Timeline): string[] {
  return entries.flatMap((entry) => videoOf(entry)?.slug ?? []).slice(-3);
}
