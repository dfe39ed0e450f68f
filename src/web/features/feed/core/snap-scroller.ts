import { limits } from "#contract/limits.ts";
import { watchTouchSwipes } from "./touch-swipes.ts";
import { watchWheel } from "./wheel-gate.ts";

interface SnapScrollerOptions {
  element: HTMLElement;
  /** Surrounding area in which the wheel also moves the feed. */
  area: HTMLElement;
  /** Returns the first place that can be scrolled to, and one past the last. */
  bounds(): { first: number; end: number };
  place(): number;
  /** Called when another place is on screen. */
  onPlace(place: number): void;
  /** Called when a scroll has ended at a place. */
  onRest(): void;
  isMotionReduced(): boolean;
}

/** Milliseconds without scroll events after which a scroll has ended, even without `scrollend`. */
const quietMs = 140;
/**
 * Frames without scroll events that must follow. A busy device may draw none for much longer than
 * `quietMs` while an animation runs, and its first frames may move less than a pixel.
 */
const quietFrames = 6;
/** Maximum number of times to restart a move that a fling has diverted. */
const maxTries = 3;

/** Scroll positions of the feed's places, one screen each. */
function createPlaces({ element, bounds, place: current, isMotionReduced }: SnapScrollerOptions) {
  /** Item height for which the scroll position is valid. */
  let alignedHeight = element.clientHeight;
  const height = () => element.clientHeight || 1;
  const topOf = (place: number) => (place - bounds().first) * height();
  const clamp = (place: number) => {
    const { first, end } = bounds();
    return Math.max(first, Math.min(end - 1, place));
  };
  // Newer browsers return a promise from `scrollTo`, which React would take for a clean-up.
  const jumpTo = (place: number): void => {
    element.scrollTo({ top: topOf(place), behavior: "instant" });
  };
  function realign(): void {
    alignedHeight = element.clientHeight;
    jumpTo(current());
  }
  return {
    clamp,
    isAt: (place: number) => Math.abs(element.scrollTop - topOf(place)) < 1,
    shownPlace: () => clamp(bounds().first + Math.round(element.scrollTop / height())),
    /**
     * Returns the direction in which the wheel has left a place, or 0. The browser itself handles
     * wheel events before this code has loaded, and WebKit delivers later ones only with the next
     * frame. Less than half an item away, it would snap back.
     */
    driftFrom(place: number): number {
      const way = element.scrollTop - topOf(place);
      const length = Math.abs(way);
      return length > limits.swipeThresholdPx && length <= height() / 2 ? Math.sign(way) : 0;
    },
    jumpTo,
    travelTo: (place: number) =>
      element.scrollTo({ top: topOf(place), behavior: isMotionReduced() ? "instant" : "smooth" }),
    realign,
    /**
     * After a resize, the scroll position points to another place until it is set again. Events and
     * timers may fire before the resize observer.
     */
    keepPlace() {
      if (element.clientHeight !== alignedHeight) realign();
    },
  };
}

/**
 * Moves the feed. The browser scrolls and snaps. This code moves one item per wheel gesture, key or
 * button, and one item per swipe of more than 50 px. Shorter swipes don't move. A touch can take
 * over at any time.
 */
export function createSnapScroller(options: SnapScrollerOptions) {
  const { element } = options;
  const life = new AbortController();
  const { clamp, isAt, shownPlace, driftFrom, jumpTo, travelTo, realign, keepPlace } =
    createPlaces(options);
  /** Item that the scroller is moving to. The feed treats it as the current item from the start. */
  let goal: { place: number; tries: number; isTouchMove: boolean } | null = null;
  /** True from the first touch until its scroll has ended. */
  let isTouchDriven = false;
  let touchedPlace = 0;
  /** True until a touch, key or button moves the feed, and after each wheel event. */
  let canDrift = true;
  let quietTimer: ReturnType<typeof setTimeout> | undefined;
  let quietFrame = 0;

  function stopWaiting(): void {
    clearTimeout(quietTimer);
    cancelAnimationFrame(quietFrame);
  }

  function waitForQuiet(): void {
    stopWaiting();
    const countFrames = (left: number) => {
      quietFrame = requestAnimationFrame(() => (left > 1 ? countFrames(left - 1) : settle()));
    };
    quietTimer = setTimeout(() => countFrames(quietFrames), quietMs);
  }

  function moveTo(place: number, isTouchMove = false): void {
    const next = clamp(place);
    // On a second move during the first one, jumps and only animates the last item.
    if (goal !== null && next !== goal.place) jumpTo(next - Math.sign(next - goal.place));
    goal = { place: next, tries: 0, isTouchMove };
    options.onPlace(next);
    if (!isAt(next)) travelTo(next);
    waitForQuiet();
  }

  /** Called when a scroll has ended. If the goal isn't reached, the move starts again. */
  function settle(): void {
    stopWaiting();
    if (isHeld()) return;
    isTouchDriven = false;
    keepPlace();
    if (goal !== null && !isAt(goal.place) && goal.tries < maxTries) {
      goal.tries += 1;
      // The last attempt jumps, because animations may stop repeatedly on a busy device.
      const move = goal.tries === maxTries ? jumpTo : travelTo;
      move(goal.place);
      return waitForQuiet();
    }
    goal = null;
    const shown = shownPlace();
    // Some touches end without a snap: cancelled ones, two-finger ones, or those ended by a screen
    // lock.
    if (!isAt(shown)) return moveTo(shown);
    options.onPlace(shown);
    options.onRest();
  }

  function followScroll(): void {
    waitForQuiet();
    if (!isHeld()) keepPlace();
    if (goal !== null) return;
    // After a touch, the scroll is the rest of its animation.
    const drift = canDrift && !isTouchDriven ? driftFrom(options.place()) : 0;
    if (drift === 0) options.onPlace(shownPlace());
    else moveTo(options.place() + drift);
  }

  element.addEventListener("scroll", followScroll, { signal: life.signal, passive: true });
  element.addEventListener(
    "scrollend",
    () => {
      // The jump before an animation fires `scrollend` too, and a fling may still follow a touch.
      // These only end after a quiet period.
      if (goal === null || (isAt(goal.place) && !goal.isTouchMove)) settle();
    },
    { signal: life.signal },
  );

  watchWheel(options.area, (direction) => moveTo(options.place() + direction), life.signal);
  options.area.addEventListener("wheel", () => (canDrift = true), {
    signal: life.signal,
    passive: true,
  });

  const isHeld = watchTouchSwipes(element, {
    signal: life.signal,
    onStart() {
      isTouchDriven = true;
      canDrift = false;
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
    /** Moves one item up or down, after a key or button press. */
    moveBy(direction: 1 | -1): void {
      canDrift = false;
      moveTo(options.place() + direction);
    },
    moveTo: (place: number): void => moveTo(place),
    /** Scrolls to `place` without an animation, after sizes have changed. */
    align: jumpTo,
    dispose(): void {
      stopWaiting();
      life.abort();
      sizes.disconnect();
    },
  };
}

export type SnapScroller = ReturnType<typeof createSnapScroller>;
