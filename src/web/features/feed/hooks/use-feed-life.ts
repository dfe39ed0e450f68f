import { useEffect, useState, useCallback, useLayoutEffect, useRef, type RefObject } from "react";
import type { PublicAdList } from "#ads/contract/ads.ts";
import { preferences, prefersReducedMotion } from "#web/features/player/core/preferences.ts";
import { whenHidden } from "#web/lib/when-hidden.ts";
import { fetchFeed } from "../calls.ts";
import {
  createFeedStore,
  type FeedHead,
  type FeedSnapshot,
  type FeedStore,
} from "../core/feed-store.ts";
import { savedFeeds } from "../core/saved-feeds.ts";
import { createFeedSound, type FeedSound } from "../core/sound.ts";
import { entryAt, videoOf, endOf } from "../core/timeline.ts";
import { watchOuterGestures } from "../core/outer-gestures.ts";
import { createSnapScroller, type SnapScroller } from "../core/snap-scroller.ts";

/** Sites without ads never load this module. */
const loadFeedAds = () => import("#ads/web/fetch-feed-ads.ts");

async function fetchAds(signal: AbortSignal): Promise<PublicAdList> {
  const { fetchFeedAds } = await loadFeedAds();
  return fetchFeedAds(signal);
}

interface FeedLifeOptions {
  head: FeedHead;
  /** Feed that this history entry showed before. */
  snapshot: FeedSnapshot | null;
  historyKey: string;
  hasAds: boolean;
}

interface FeedLife {
  store: FeedStore;
  sound: FeedSound;
  /** False on the server and until the browser has taken over. */
  isLive: boolean;
}

/**
 * Starts the feed and its sound when the component mounts. Saves the feed for this history entry.
 */
export function useFeedLife({ head, snapshot, historyKey, hasAds }: FeedLifeOptions): FeedLife {
  const [store] = useState(() => createFeedStore(snapshot ?? head, { fetchFeed, fetchAds }));
  const [sound] = useState(createFeedSound);
  const [isLive, setLive] = useState(false);

  useEffect(() => {
    const first = videoOf(entryAt(store.store.get().timeline, 0));
    const around = snapshot === null && first !== null ? savedFeeds.findAround(first.slug) : null;
    // A reload restores a clip with its own address. The front page starts a new feed.
    if (around !== null && window.location.pathname !== "/") store.restore(around);
    sound.start(preferences);
    store.start({ hasAds });
    // Preloads the script of ads. If this fails, the first ad reports the failure.
    if (hasAds) loadFeedAds().catch(() => {});
    setLive(true);
    const save = () => savedFeeds.save(historyKey, store.snapshot());
    const life = new AbortController();
    whenHidden(save, life.signal);
    return () => {
      life.abort();
      save();
      sound.stop();
      store.dispose();
    };
    // All of these live as long as the feed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [store, sound]);

  return { store, sound, isLive };
}

/** Synchronizes the scroll position of the element with the place of the feed. */
export function useSnapScroller(
  element: RefObject<HTMLElement | null>,
  feed: FeedStore,
  isLive: boolean,
): {
  scroll: RefObject<SnapScroller | null>;
  /** Moves one item up or down. */
  move: (direction: 1 | -1) => void;
} {
  const scroller = useRef<SnapScroller | null>(null);
  useLayoutEffect(() => {
    const area = element.current?.closest<HTMLElement>(".feed") ?? null;
    if (!isLive || element.current === null || area === null) return;
    const { store } = feed;
    const snapScroller = createSnapScroller({
      element: element.current,
      area,
      bounds: () => {
        const { timeline } = store.get();
        return { first: timeline.firstPlace, end: endOf(timeline) };
      },
      place: () => store.get().place,
      onPlace: feed.goTo,
      onRest: feed.tidy,
      isMotionReduced: prefersReducedMotion,
    });
    scroller.current = snapScroller;
    const life = new AbortController();
    watchOuterGestures({
      area,
      scroller: element.current,
      move: snapScroller.moveBy,
      signal: life.signal,
    });
    return () => {
      life.abort();
      snapScroller.dispose();
      scroller.current = null;
    };
  }, [element, feed, isLive]);
  const move = useCallback((direction: 1 | -1) => scroller.current?.moveBy(direction), []);
  return { scroll: scroller, move };
}
