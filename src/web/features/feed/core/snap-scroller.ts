import { limits } from "#contract/limits.ts";
import { createWheelGate } from "./wheel-gate.ts";

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
/** After a panel has scrolled, the wheel moves the feed only after a pause. */
const panelRestMs = 300;
/** A faster touch end (px per ms) is left to the browser's own fling. */
const flingSpeed = 0.35;

function canScroll({ scrollTop, scrollHeight, clientHeight }: Element, deltaY: number): boolean {
  return deltaY > 0 ? scrollTop + clientHeight < scrollHeight - 1 : scrollTop > 0;
}

/**
 * Movement of the feed. The browser scrolls and snaps. This adds one item per wheel gesture, key or
 * button, and the rule that a swipe of more than 50 px moves and a shorter one does not. A touch
 * takes over at any time.
 */
export function createSnapScroller(options: SnapScrollerOptions): SnapScroller {
  const { element } = options;
  const life = new AbortController();
  const { signal } = life;
  const wheel = createWheelGate();
  /** Target of a movement. The feed's place equals it from the start. */
  let goal: { place: number; tries: number; isTouchMove: boolean } | null = null;
  let touch: { y: number; place: number; lastY: number; lastMs: number } | null = null;
  /** Fingers on the screen, whether or not they make a swipe. */
  let isHeld = false;
  /** From the first touch until its scroll has ended. */
  let isTouchDriven = false;
  let panelScrolledAtMs = -Infinity;
  let quietTimer: ReturnType<typeof setTimeout> | undefined;
  /** Height of an item for which the scroll position is valid. */
  let alignedHeight = element.clientHeight;

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

  /**
   * After a resize, the scroll position points to another place until it is set again. Events and
   * timers may fire before the resize observer.
   */
  function keepPlace(): void {
    if (element.clientHeight === alignedHeight) return;
    alignedHeight = element.clientHeight;
    scrollTo(options.place(), "instant");
  }

  function waitForQuiet(): void {
    clearTimeout(quietTimer);
    quietTimer = setTimeout(settle, quietMs);
  }

  function moveTo(place: number, isTouchMove = false): void {
    const next = clamp(place);
    // A second move during the first one: jump, and animate only the last item.
    if (goal !== null && next !== goal.place)
      scrollTo(next - Math.sign(next - goal.place), "instant");
    goal = { place: next, tries: 0, isTouchMove };
    options.onPlace(next);
    if (!isAt(next)) travel(next);
    waitForQuiet();
  }

  /** The scroll has ended: either the goal is reached, or the movement starts again. */
  function settle(): void {
    clearTimeout(quietTimer);
    if (isHeld) return;
    isTouchDriven = false;
    keepPlace();
    if (goal !== null && !isAt(goal.place) && goal.tries < maxTries) {
      goal.tries += 1;
      // The last attempt jumps, because on a busy device animations may stop repeatedly.
      if (goal.tries === maxTries) scrollTo(goal.place, "instant");
      else travel(goal.place);
      waitForQuiet();
      return;
    }
    goal = null;
    const shown = clamp(shownPlace());
    // Some touches end without a snap: when cancelled, with two fingers, or by a screen lock.
    if (isAt(shown)) options.onPlace(shown);
    else moveTo(shown);
  }

  /**
   * The browser itself handles wheel events before this listener exists, and WebKit delivers later
   * ones only with the next frame. Less than half an item away, it would snap back.
   */
  function followWheel(): void {
    if (goal !== null || isTouchDriven) return;
    const way = element.scrollTop - topOf(options.place());
    if (Math.abs(way) <= limits.swipeThresholdPx || Math.abs(way) > height() / 2) return;
    moveTo(options.place() + Math.sign(way));
  }

  function followScroll(): void {
    waitForQuiet();
    if (!isHeld) keepPlace();
    followWheel();
    if (goal === null) options.onPlace(clamp(shownPlace()));
  }

  element.addEventListener("scroll", followScroll, { signal, passive: true });
  element.addEventListener(
    "scrollend",
    () => {
      // The jump that precedes an animation fires `scrollend` too, and after a touch the browser's
      // fling may still come. Only a quiet time ends those.
      if (goal === null || (isAt(goal.place) && !goal.isTouchMove)) settle();
    },
    { signal },
  );

  options.area.addEventListener(
    "wheel",
    (event) => {
      // Zooming and horizontal gestures belong to the browser.
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      const { target, timeStamp } = event;
      const panel = target instanceof Element ? target.closest(".feed-panel") : null;
      if (panel !== null && canScroll(panel, event.deltaY)) panelScrolledAtMs = timeStamp;
      // A panel at its end absorbs the rest of the gesture.
      if (timeStamp - panelScrolledAtMs < panelRestMs) {
        panelScrolledAtMs = timeStamp;
        return;
      }
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 40;
      const direction = wheel.feed(event.deltaY * unit, timeStamp);
      if (direction !== 0) moveTo(options.place() + direction);
    },
    { signal, passive: false },
  );

  const yOf = (event: TouchEvent) => (event.touches[0] ?? event.changedTouches[0])?.clientY ?? 0;
  element.addEventListener(
    "touchstart",
    (event) => {
      isHeld = true;
      isTouchDriven = true;
      // A touched element may leave the page before the finger is lifted. Its events then reach
      // only that element.
      for (const name of ["touchend", "touchcancel"] as const) {
        event.target?.addEventListener(name, onTouchEnd, { signal, passive: true });
      }
      goal = null;
      if (event.touches.length !== 1) {
        touch = null;
        return;
      }
      const y = yOf(event);
      touch = { y, place: options.place(), lastY: y, lastMs: event.timeStamp };
    },
    { signal, passive: true },
  );
  element.addEventListener(
    "touchmove",
    (event) => {
      if (touch === null) return;
      // Speed is measured over the last 60 ms.
      if (event.timeStamp - touch.lastMs > 60) {
        touch.lastY = yOf(event);
        touch.lastMs = event.timeStamp;
      }
    },
    { signal, passive: true },
  );
  function onTouchEnd(event: Event): void {
    const { target } = event;
    if (!(event instanceof TouchEvent) || event.touches.length > 0) return;
    for (const name of ["touchend", "touchcancel"] as const) {
      target?.removeEventListener(name, onTouchEnd);
    }
    isHeld = false;
    waitForQuiet();
    if (touch === null) return;
    const { y, place, lastY, lastMs } = touch;
    touch = null;
    const endY = yOf(event);
    const way = y - endY;
    const isSwipe = Math.abs(way) > limits.swipeThresholdPx;
    const meant = clamp(isSwipe ? place + Math.sign(way) : place);
    const speed = Math.abs(lastY - endY) / Math.max(1, event.timeStamp - lastMs);
    if (speed < flingSpeed) return moveTo(meant, true);
    // The browser's fling usually has the same direction. `settle` corrects the end.
    goal = { place: meant, tries: 0, isTouchMove: true };
    options.onPlace(meant);
  }
  // A touch that the system takes over may never end for the page.
  const release = () => {
    isHeld = false;
    touch = null;
    waitForQuiet();
  };
  window.addEventListener("blur", release, { signal });
  document.addEventListener("visibilitychange", release, { signal });

  const sizes = new ResizeObserver(() => {
    if (isHeld) return;
    alignedHeight = element.clientHeight;
    scrollTo(options.place(), "instant");
  });
  sizes.observe(element);

  // Visitors may have scrolled before the scripts ran.
  if (options.place() === options.bounds().first) followScroll();
  else scrollTo(options.place(), "instant");

  return {
    moveBy: (direction) => moveTo(options.place() + direction),
    moveTo: (place) => moveTo(place),
    align(place) {
      if (!isAt(place)) scrollTo(place, "instant");
    },
    dispose() {
      clearTimeout(quietTimer);
      life.abort();
      sizes.disconnect();
    },
  };
}
