import { limits } from "../../../../contract/limits.ts";
import { createWheelGate } from "./wheel-gate.ts";

interface SnapScrollerOptions {
  element: HTMLElement;
  /** The first place that can be scrolled to, and one past the last. */
  bounds(): { first: number; end: number };
  place(): number;
  /** The place that is on the screen has changed. */
  onPlace(place: number): void;
  isMotionReduced(): boolean;
}

export interface SnapScroller {
  /** One item up or down, by key or button. */
  moveBy(direction: 1 | -1): void;
  moveTo(place: number): void;
  /** Puts the screen where `place` is, without a movement: after a change of sizes. */
  align(place: number): void;
  dispose(): void;
}

/** This much stillness ends a scroll that never said so, or ended short of its goal. */
const stillMs = 140;
/** How often a movement that was carried elsewhere (by a fling under way) is begun again. */
const mostTries = 3;
/** A finger that leaves the glass faster than this (px per ms) is left to the browser's own fling. */
const flingSpeed = 0.35;

/**
 * Movement of the feed. The browser scrolls and snaps; this adds what it does not do: one item per
 * wheel gesture, key or button, and the rule that a swipe of more than 50 px moves and a shorter one
 * does not. It never locks: whoever touches takes over at once.
 */
export function createSnapScroller(options: SnapScrollerOptions): SnapScroller {
  const { element } = options;
  const life = new AbortController();
  const { signal } = life;
  const wheel = createWheelGate();
  /** Where a movement is going; the place counts from its beginning. */
  let goal: { place: number; tries: number; isOfTouch: boolean } | null = null;
  let touch: { y: number; place: number; lastY: number; lastMs: number } | null = null;
  let stillTimer: ReturnType<typeof setTimeout> | undefined;

  const height = () => element.clientHeight || 1;
  const topOf = (place: number) => (place - options.bounds().first) * height();
  const shownPlace = () => options.bounds().first + Math.round(element.scrollTop / height());
  const isAt = (place: number) => Math.abs(element.scrollTop - topOf(place)) < 1;
  const clamp = (place: number) => {
    const { first, end } = options.bounds();
    return Math.max(first, Math.min(end - 1, place));
  };

  function scrollTo(place: number, behavior: ScrollBehavior): void {
    element.scrollTo({ top: topOf(place), behavior });
  }
  const travel = (place: number) =>
    scrollTo(place, options.isMotionReduced() ? "instant" : "smooth");

  function waitForStillness(): void {
    clearTimeout(stillTimer);
    stillTimer = setTimeout(settle, stillMs);
  }

  function moveTo(place: number, isOfTouch = false): void {
    const next = clamp(place);
    // A second move into the first one: only the last item is travelled, and it is there.
    if (goal !== null && next !== goal.place)
      scrollTo(next - Math.sign(next - goal.place), "instant");
    goal = { place: next, tries: 0, isOfTouch };
    options.onPlace(next);
    if (!isAt(next)) travel(next);
    waitForStillness();
  }

  /** Nothing moves any more: either the goal is reached, or it is aimed at once more. */
  function settle(): void {
    clearTimeout(stillTimer);
    if (touch !== null) return;
    if (goal !== null && !isAt(goal.place) && goal.tries < mostTries) {
      goal.tries += 1;
      travel(goal.place);
      waitForStillness();
      return;
    }
    goal = null;
    options.onPlace(clamp(shownPlace()));
  }

  element.addEventListener(
    "scroll",
    () => {
      waitForStillness();
      if (goal === null) options.onPlace(clamp(shownPlace()));
    },
    { signal, passive: true },
  );
  element.addEventListener(
    "scrollend",
    () => {
      // The end of a jump that a further movement begins with is not the end of that movement, and
      // after a touch the browser's own fling may still be to come: only stillness ends those.
      if (goal === null || (isAt(goal.place) && !goal.isOfTouch)) settle();
    },
    { signal },
  );

  element.addEventListener(
    "wheel",
    (event) => {
      // Zooming and sideways gestures are the browser's.
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 40;
      const direction = wheel.feed(event.deltaY * unit, event.timeStamp);
      if (direction !== 0) moveTo(options.place() + direction);
    },
    { signal, passive: false },
  );

  const yOf = (event: TouchEvent) => (event.touches[0] ?? event.changedTouches[0])?.clientY ?? 0;
  element.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length !== 1) {
        touch = null;
        return;
      }
      const y = yOf(event);
      goal = null;
      touch = { y, place: options.place(), lastY: y, lastMs: event.timeStamp };
    },
    { signal, passive: true },
  );
  element.addEventListener(
    "touchmove",
    (event) => {
      if (touch === null) return;
      // Speed counts over the last moments only.
      if (event.timeStamp - touch.lastMs > 60) {
        touch.lastY = yOf(event);
        touch.lastMs = event.timeStamp;
      }
    },
    { signal, passive: true },
  );
  const onTouchEnd = (event: TouchEvent) => {
    if (touch === null || event.touches.length > 0) return;
    const { y, place, lastY, lastMs } = touch;
    touch = null;
    const endY = yOf(event);
    const way = y - endY;
    const isSwipe = Math.abs(way) > limits.swipeThresholdPx;
    const meant = clamp(isSwipe ? place + Math.sign(way) : place);
    const speed = Math.abs(lastY - endY) / Math.max(1, event.timeStamp - lastMs);
    if (speed < flingSpeed) return moveTo(meant, true);
    // The browser's fling goes the same way as a rule; where it ends is looked at afterwards.
    goal = { place: meant, tries: 0, isOfTouch: true };
    options.onPlace(meant);
    waitForStillness();
  };
  element.addEventListener("touchend", onTouchEnd, { signal, passive: true });
  element.addEventListener("touchcancel", onTouchEnd, { signal, passive: true });

  const sizes = new ResizeObserver(() => {
    if (touch === null) scrollTo(options.place(), "instant");
  });
  sizes.observe(element);

  return {
    moveBy: (direction) => moveTo(options.place() + direction),
    moveTo: (place) => moveTo(place),
    align(place) {
      if (!isAt(place)) scrollTo(place, "instant");
    },
    dispose() {
      clearTimeout(stillTimer);
      life.abort();
      sizes.disconnect();
    },
  };
}
