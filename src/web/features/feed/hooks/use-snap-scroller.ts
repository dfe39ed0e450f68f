import { useCallback, useLayoutEffect, useRef, type RefObject } from "react";
import { prefersReducedMotion } from "#web/features/player/core/preferences.ts";
import type { FeedStore } from "../core/feed-store.ts";
import { watchOuterGestures } from "../core/outer-gestures.ts";
import { createSnapScroller, type SnapScroller } from "../core/snap-scroller.ts";
import { endOf } from "../core/timeline.ts";

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
    const made = createSnapScroller({
      element: element.current,
      area,
      bounds: () => {
        const { timeline } = store.get();
        return { first: timeline.firstPlace, end: endOf(timeline) };
      },
      place: () => store.get().place,
      onPlace: (place) => feed.goTo(place),
      isMotionReduced: prefersReducedMotion,
    });
    scroller.current = made;
    const life = new AbortController();
    watchOuterGestures({
      area,
      scroller: element.current,
      move: made.moveBy,
      signal: life.signal,
    });
    return () => {
      life.abort();
      made.dispose();
      scroller.current = null;
    };
  }, [element, feed, isLive]);
  const move = useCallback((direction: 1 | -1) => scroller.current?.moveBy(direction), []);
  return { scroll: scroller, move };
}
