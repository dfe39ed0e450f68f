import type { PublicAdList } from "#ads/contract/ads.ts";
import type { FeedList, FeedVideo } from "#contract/lists/feed.ts";
import { createStore, type Store } from "#web/lib/store.ts";
import {
  emptyTimeline,
  endOf,
  entryAt,
  extendTimeline,
  isUsedUp,
  noAds,
  dropBefore,
  patchVideo,
  prependEntries,
  type AdRotation,
  type FeedEntry,
  type Timeline,
} from "./timeline.ts";

interface FeedState {
  timeline: Timeline;
  /** The place that is on the screen. */
  place: number;
  /** The direction of the latest move: the neighbor there is likely to be next. */
  direction: 1 | -1;
  /** State of the request for more videos. */
  loading: "idle" | "busy" | "failed";
  /** There is nothing to show, and no request runs. */
  isEmpty: boolean;
}

export interface FeedSources {
  fetchFeed(
    from: { cursor: string } | { shownSlugs: readonly string[] },
    signal: AbortSignal,
  ): Promise<FeedList>;
  fetchAds(signal: AbortSignal): Promise<PublicAdList>;
}

/** What the page contained. */
export interface FeedHead {
  videos: readonly FeedVideo[];
  nextCursor: string | null;
  /** The server could not list the videos. */
  hasFailed: boolean;
}

/** What is needed to continue later from the same place. */
export interface FeedSnapshot {
  entries: readonly FeedEntry[];
  firstPlace: number;
  origin: number;
  place: number;
  cursor: string | null;
  hasSession: boolean;
  rotation: AdRotation;
}

/** One clip and its neighbors, to restore after a reload. */
export interface FeedSurroundings {
  /** With this visitor's like and favorite, which the page does not know. */
  clip: FeedVideo;
  before: readonly FeedVideo[];
  after: readonly FeedVideo[];
  cursor: string | null;
}

export interface FeedStore {
  readonly store: Pick<Store<FeedState>, "get" | "subscribe">;
  /** Fetches the next videos, and the ads if the site has any. Works once. */
  start(site: { hasAds: boolean }): void;
  goTo(place: number): void;
  /** Fetches again after a failure. */
  retry(): void;
  /**
   * What the visitor wants has changed: what follows the clip on the screen is dropped and fetched in a
   * new session. Resolves with whether there is a next one.
   */
  refresh(): Promise<boolean>;
  patch(videoId: string, patch: Partial<FeedVideo>): void;
  /** Restores the neighbors of the clip that is shown, after a reload. */
  restore(around: FeedSurroundings): void;
  snapshot(): FeedSnapshot;
  dispose(): void;
}

/** The next page is fetched when at most this many places are left. */
const fetchAhead = 6;
/** How many earlier entries are kept. */
const keptBehind = 50;
const retryAfterMs = 5000;

/** The state of the feed: its items, the place on the screen, and requests for more. */
export function createFeedStore(head: FeedHead | FeedSnapshot, sources: FeedSources): FeedStore {
  const life = new AbortController();
  const isRestored = "entries" in head;
  let cursor = isRestored ? head.cursor : head.nextCursor;
  /** The server has begun a session for this visitor. */
  let hasSession = isRestored ? head.hasSession : head.nextCursor !== null;
  let rotation: AdRotation = isRestored ? head.rotation : noAds;
  let hasAds = isRestored;
  /** A response that was asked for before the latest change is dropped. */
  let generation = 0;
  let isFetchingAds = false;
  let isStarted = false;
  const hasFailed = !isRestored && head.hasFailed;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const timeline: Timeline = isRestored
    ? { firstPlace: head.firstPlace, origin: head.origin, entries: head.entries }
    : extendTimeline(emptyTimeline, head.videos, noAds, 0);
  const store = createStore<FeedState>({
    timeline,
    place: isRestored ? head.place : 0,
    direction: 1,
    loading: hasFailed ? "failed" : "idle",
    isEmpty: timeline.entries.length === 0 && !hasFailed,
  });

  /** The neighbor is rendered already, so it counts as shown. */
  const fixedEnd = () => store.get().place + 2;

  function extend(videos: readonly FeedVideo[]): void {
    const { timeline: before } = store.get();
    store.commit({ timeline: extendTimeline(before, videos, rotation, fixedEnd()) });
  }

  function isNearEnd(): boolean {
    const { timeline: now, place } = store.get();
    return endOf(now) - place <= fetchAhead;
  }

  async function fetchMore(): Promise<void> {
    if (store.get().loading === "busy" || life.signal.aborted) return;
    clearTimeout(retryTimer);
    store.commit({ loading: "busy" });
    const asked = generation;
    try {
      const from = cursor !== null ? { cursor } : { shownSlugs: hasSession ? [] : headSlugs() };
      const page = await sources.fetchFeed(from, life.signal);
      if (life.signal.aborted || asked !== generation) return;
      cursor = page.nextCursor;
      hasSession = true;
      for (const { id, ...mark } of page.shown) patch(id, mark);
      const known = page.videos.length;
      extend(withoutRepeats(page.videos));
      const isEmpty = store.get().timeline.entries.length === 0;
      store.commit({ loading: "idle", isEmpty });
      // At the end of a session the next one begins.
      if (!isEmpty && isNearEnd() && known > 0) void fetchMore();
    } catch (error) {
      if (life.signal.aborted || asked !== generation) return;
      console.warn("the feed could not be fetched", error);
      store.commit({ loading: "failed" });
      retryTimer = setTimeout(() => void fetchMore(), retryAfterMs);
    }
  }

  /** A new session must not begin with the video that is last. */
  function withoutRepeats(videos: readonly FeedVideo[]): FeedVideo[] {
    const { entries } = store.get().timeline;
    const last = entries.findLast((entry) => entry.kind === "video");
    if (videos.length <= 1 || last?.kind !== "video") return [...videos];
    return videos.filter((video, index) => index > 0 || video.id !== last.video.id);
  }

  function headSlugs(): string[] {
    const { entries } = store.get().timeline;
    return entries.flatMap((entry) => (entry.kind === "video" ? [entry.video.slug] : [])).slice(-3);
  }

  async function fetchAds(): Promise<void> {
    if (isFetchingAds) return;
    isFetchingAds = true;
    try {
      const list = await sources.fetchAds(life.signal);
      if (life.signal.aborted) return;
      hasAds = true;
      // Without new ones the old ones take their turns again.
      if (list.ads.length === 0) return;
      rotation = list;
      extend([]);
    } catch (error) {
      // A blocked or failed request leaves a feed without ads.
      if (!life.signal.aborted) console.warn("ads could not be fetched", error);
    } finally {
      isFetchingAds = false;
    }
  }

  function patch(videoId: string, values: Partial<FeedVideo>): void {
    store.commit({ timeline: patchVideo(store.get().timeline, videoId, values) });
  }

  const onOnline = () => {
    if (store.get().loading === "failed") void fetchMore();
  };

  return {
    store: { get: store.get, subscribe: store.subscribe },
    start(site) {
      if (isStarted) return;
      isStarted = true;
      window.addEventListener("online", onOnline, { signal: life.signal });
      if (site.hasAds && !hasAds) void fetchAds();
      if (isNearEnd()) void fetchMore();
    },
    goTo(place) {
      const { timeline: now, place: before } = store.get();
      if (place === before || entryAt(now, place) === null) return;
      store.commit({
        place,
        direction: place > before ? 1 : -1,
        timeline: dropBefore(now, place, keptBehind),
      });
      if (isStarted && isNearEnd()) void fetchMore();
      // A serve counts each of its ads once.
      if (isStarted && isUsedUp(rotation, now, place)) void fetchAds();
    },
    retry: () => void fetchMore(),
    async refresh() {
      const { timeline: now, place } = store.get();
      generation += 1;
      cursor = null;
      hasSession = false;
      store.commit({
        loading: "idle",
        timeline: { ...now, entries: now.entries.slice(0, place - now.firstPlace + 1) },
      });
      await fetchMore();
      return entryAt(store.get().timeline, place + 1) !== null;
    },
    patch,
    restore({ clip, before, after, cursor: from }) {
      if (isStarted) return;
      const { timeline: now, place } = store.get();
      const earlier = extendTimeline(emptyTimeline, before, noAds, 0).entries.map(
        (entry, index) => ({
          ...entry,
          key: `earlier-${index}-${entry.key}`,
        }),
      );
      const shown = { ...now, entries: now.entries.slice(0, place - now.firstPlace + 1) };
      const later = extendTimeline(shown, after, noAds, endOf(shown));
      store.commit({ timeline: prependEntries(later, earlier) });
      patch(clip.id, { isLiked: clip.isLiked, isFavorite: clip.isFavorite });
      cursor = from;
      hasSession = true;
    },
    snapshot() {
      const { timeline: now, place } = store.get();
      return {
        entries: now.entries,
        firstPlace: now.firstPlace,
        origin: now.origin,
        place,
        cursor,
        hasSession,
        rotation,
      };
    },
    dispose() {
      clearTimeout(retryTimer);
      life.abort();
    },
  };
}
