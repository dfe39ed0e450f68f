import { limits } from "#contract/limits.ts";

interface OuterGestureOptions {
  /** The whole feed with its panels. */
  area: HTMLElement;
  /** Part of the feed that the browser scrolls by touch. */
  scroller: HTMLElement;
  move(direction: 1 | -1): void;
  signal: AbortSignal;
}

/** Elements with their own drags: links, fields, selectable text and the seek bar. */
const ownDrags = "a, input, textarea, .feed-scrub, .feed-details p, .feed-panel section";

/**
 * Returns whether an element between the target and the area scrolls and therefore handles the
 * touch.
 */
function isInScrolling(target: EventTarget | null, area: HTMLElement): boolean {
  let at = target instanceof Element ? target : null;
  while (at !== null && at !== area) {
    if (at.scrollHeight > at.clientHeight && getComputedStyle(at).overflowY === "auto") return true;
    at = at.parentElement;
  }
  return false;
}

/** Moves the feed on swipes beside the scroller and mouse drags anywhere, if they exceed 50 px. */
export function watchOuterGestures({ area, scroller, move, signal }: OuterGestureOptions): void {
  let start: { x: number; y: number } | null = null;

  /** @returns whether it was a swipe. */
  const finish = (x: number, y: number): boolean => {
    if (start === null) return false;
    const [right, up] = [Math.abs(x - start.x), start.y - y];
    start = null;
    if (Math.abs(up) <= limits.swipeThresholdPx || right > Math.abs(up)) return false;
    move(up > 0 ? 1 : -1);
    return true;
  };

  area.addEventListener(
    "touchstart",
    ({ touches, target }) => {
      const [touch] = touches;
      const isOwn = target instanceof Node && scroller.contains(target);
      start =
        touch === undefined || touches.length > 1 || isOwn || isInScrolling(target, area)
          ? null
          : { x: touch.clientX, y: touch.clientY };
    },
    { signal, passive: true },
  );
  area.addEventListener(
    "touchend",
    ({ changedTouches: [touch] }) => {
      if (touch !== undefined) finish(touch.clientX, touch.clientY);
    },
    { signal, passive: true },
  );
  area.addEventListener("touchcancel", () => (start = null), { signal, passive: true });

  area.addEventListener(
    "pointerdown",
    ({ pointerType, button, target, clientX, clientY }) => {
      if (pointerType !== "mouse") return;
      const isOwn = !(target instanceof Element) || target.closest(ownDrags) !== null;
      start = isOwn || button !== 0 ? null : { x: clientX, y: clientY };
    },
    { signal },
  );
  window.addEventListener(
    "pointerup",
    ({ pointerType, clientX, clientY }) => {
      if (pointerType !== "mouse" || !finish(clientX, clientY)) return;
      // The end of a drag must not click the element below. A click follows in this task or never.
      const swallow = new AbortController();
      area.addEventListener(
        "click",
        (event) => {
          event.preventDefault();
          event.stopPropagation();
        },
        { signal: swallow.signal, capture: true },
      );
      setTimeout(() => swallow.abort());
    },
    { signal },
  );
}
