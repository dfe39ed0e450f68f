import { limits } from "#contract/limits.ts";
import { watchTouchSwipes } from "./touch-swipes.ts";
import { watchWheel } from "./wheel-gate.ts";

interface SnapScrollerOptions {
  element: HTMLElement;
  /** Surrounding area, in which the wheel also moves the feed. */
  area: HTMLElement;
  /** Returns the first place that can be scrolled to, and one past the last. */
  bounds(): { first: number; end: number };
  place(): number;
  /** Called when another place is on screen. */
  onPlace(place: number): void;
  isMotionReduced(): boolean;
}

export interface SnapScroller {
  /** Moves one item up or down, by key or button. */
  moveBy(direction: 1 | -1): void;
  moveTo(place: number): void;
  /** Scrolls to `place` without an animation, after a change of sizes. */
  align(place: number): void;
  dispose(): void;
}

/** A scroll without events for this long has ended, even without `scrollend`. */
const quietMs = 140;
/** Maximum number of restarts of a movement diverted by a fling. */
const maxTries = 3;
/** Scroll positions of the feed's places, one screen each. */
function createPlaces({ element, bounds, isMotionReduced }: SnapScrollerOptions) {
  const height = () => element.clientHeight || 1;
  const topOf = (place: number) => (place - bounds().first) * height();
  const clamp = (place: number) => {
    const { first, end } = bounds();
    return Math.max(first, Math.min(end - 1, place));
  };
  return {
    clamp,
    isAt: (place: number) => Math.abs(element.scrollTop - topOf(place)) < 1,
    shownPlace: () => clamp(bounds().first + Math.round(element.scrollTop / height())),
    /**
     * Direction in which the wheel has left a place, else 0. The browser itself handles wheel events
     * before this code has loaded, and WebKit delivers later ones only with the next frame. Less
     * than half an item away, it would snap back.
     */
    driftFrom(place: number): number {
      const way = element.scrollTop - topOf(place);
      const length = Math.abs(way);
      return length > limits.swipeThresholdPx && length <= height() / 2 ? Math.sign(way) : 0;
    },
    jumpTo: (place: number) => element.scrollTo({ top: topOf(place), behavior: "instant" }),
    travelTo: (place: number) =>
      element.scrollTo({ top: topOf(place), behavior: isMotionReduced() ? "instant" : "smooth" }),
  };
}

/**
 * Movement of the feed. The browser scrolls and snaps. This adds one item per wheel gesture, key or
 * button, and the rule that a swipe of more than 50 px moves and a shorter one does not. A touch
 * takes over at any time.
 */
export function createSnapScroller(options: SnapScrollerOptions): SnapScroller {
  const { element } = options;
  const life = new AbortController();
  const { clamp, isAt, shownPlace, driftFrom, jumpTo, travelTo } = createPlaces(options);
  /** Target of a movement. The feed's place equals it from the start. */
  let goal: { place: number; tries: number; isTouchMove: boolean } | null = null;
  /** From the first touch until its scroll has ended. */
  let isTouchDriven = false;
  let touchedPlace = 0;
  let quietTimer: ReturnType<typeof setTimeout> | undefined;
  /** Height of an item for which the scroll position is valid. */
  let alignedHeight = element.clientHeight;

  function realign(): void {
    alignedHeight = element.clientHeight;
    jumpTo(options.place());
  }
  /**
   * After a resize, the scroll position points to another place until it is set again. Events and
   * timers may fire before the resize observer.
   */
  function keepPlace(): void {
    if (element.clientHeight !== alignedHeight) realign();
  }

  function waitForQuiet(): void {
    clearTimeout(quietTimer);
    quietTimer = setTimeout(settle, quietMs);
  }

  function moveTo(place: number, isTouchMove = false): void {
    const next = clamp(place);
    // A second move during the first one: jump, and animate only the last item.
    if (goal !== null && next !== goal.place) jumpTo(next - Math.sign(next - goal.place));
    goal = { place: next, tries: 0, isTouchMove };
    options.onPlace(next);
    if (!isAt(next)) travelTo(next);
    waitForQuiet();
  }

  /** The scroll has ended: either the goal is reached, or the movement starts again. */
  function settle(): void {
    clearTimeout(quietTimer);
    if (isHeld()) return;
    isTouchDriven = false;
    keepPlace();
    if (goal !== null && !isAt(goal.place) && goal.tries < maxTries) {
      goal.tries += 1;
      // The last attempt jumps, because on a busy device animations may stop repeatedly.
      const move = goal.tries === maxTries ? jumpTo : travelTo;
      move(goal.place);
      return waitForQuiet();
    }
    goal = null;
    const shown = shownPlace();
    // Some touches end without a snap: when cancelled, with two fingers, or by a screen lock.
    if (isAt(shown)) options.onPlace(shown);
    else moveTo(shown);
  }

  function followScroll(): void {
    waitForQuiet();
    if (!isHeld()) keepPlace();
    if (goal !== null) return;
    const drift = isTouchDriven ? 0 : driftFrom(options.place());
    if (drift === 0) options.onPlace(shownPlace());
    else moveTo(options.place() + drift);
  }

  element.addEventListener("scroll", followScroll, { signal: life.signal, passive: true });
  element.addEventListener(
    "scrollend",
    () => {
      // The jump that precedes an animation fires `scrollend` too, and after a touch the browser's
      // fling may still come. Only a quiet time ends those.
      if (goal === null || (isAt(goal.place) && !goal.isTouchMove)) settle();
    },
    { signal: life.signal },
  );

  watchWheel(options.area, (direction) => moveTo(options.place() + direction), life.signal);

  const isHeld = watchTouchSwipes(element, {
    signal: life.signal,
    onStart() {
      isTouchDriven = true;
      goal = null;
      touchedPlace = options.place();
    },
    onEnd(swipe) {
      waitForQuiet();
      if (swipe === null) return;
      const meant = clamp(touchedPlace + swipe.direction);
      if (!swipe.isFling) return moveTo(meant, true);
      // The browser's fling usually has the same direction. `settle` corrects the end.
      goal = { place: meant, tries: 0, isTouchMove: true };
      options.onPlace(meant);
    },
  });

  const sizes = new ResizeObserver(() => {
    if (!isHeld()) realign();
  });
  sizes.observe(element);

  // Visitors may have scrolled before the scripts ran.
  if (options.place() === options.bounds().first) followScroll();
  else jumpTo(options.place());

  return {
    moveBy: (direction) => moveTo(options.place() + direction),
    moveTo: (place) => moveTo(place),
    align(place) {
      if (!isAt(place)) jumpTo(place);
    },
    dispose() {
      clearTimeout(quietTimer);
      life.abort();
      sizes.disconnect();
    },
  };
}
