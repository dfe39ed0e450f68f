import { limits } from "#contract/limits.ts";

/** Swipe with one finger. Shorter and sideways touches have direction 0. */
export interface Swipe {
  direction: number;
  /** True if the swipe is so fast that the browser keeps scrolling after it. */
  isFling: boolean;
}

/** Speed in px per ms above which the browser's own fling handles the end of a touch. */
const flingSpeed = 0.35;

const endEvents = ["touchend", "touchcancel"] as const;
const yOf = (event: TouchEvent) => (event.touches[0] ?? event.changedTouches[0])?.clientY ?? 0;

/**
 * Watches fingers on an element. Calls `onStart` for each new one and `onEnd` when the last one
 * leaves. There is no swipe if several fingers touched or if the system took over.
 * @returns a function that tells whether a finger is on the screen, even if it makes no swipe.
 */
export function watchTouchSwipes(
  element: HTMLElement,
  {
    signal,
    onStart,
    onEnd,
  }: {
    signal: AbortSignal;
    onStart: () => void;
    onEnd: (swipe: Swipe | null) => void;
  },
): () => boolean {
  let isHeld = false;
  let touch: { y: number; lastY: number; lastMs: number } | null = null;

  element.addEventListener(
    "touchstart",
    (event) => {
      isHeld = true;
      // A touched element may leave the page before the finger is lifted. Its events then reach
      // only that element.
      for (const name of endEvents) {
        event.target?.addEventListener(name, onTouchEnd, { signal, passive: true });
      }
      const y = yOf(event);
      touch = event.touches.length === 1 ? { y, lastY: y, lastMs: event.timeStamp } : null;
      onStart();
    },
    { signal, passive: true },
  );
  element.addEventListener(
    "touchmove",
    (event) => {
      // Speed is measured over the last 60 ms.
      if (touch === null || event.timeStamp - touch.lastMs <= 60) return;
      touch.lastY = yOf(event);
      touch.lastMs = event.timeStamp;
    },
    { signal, passive: true },
  );

  function onTouchEnd(event: Event): void {
    if (!(event instanceof TouchEvent) || event.touches.length > 0) return;
    for (const name of endEvents) event.target?.removeEventListener(name, onTouchEnd);
    const endY = yOf(event);
    release(
      touch && {
        direction:
          Math.abs(touch.y - endY) > limits.swipeThresholdPx ? Math.sign(touch.y - endY) : 0,
        isFling:
          Math.abs(touch.lastY - endY) / Math.max(1, event.timeStamp - touch.lastMs) >= flingSpeed,
      },
    );
  }

  function release(swipe: Swipe | null): void {
    isHeld = false;
    touch = null;
    onEnd(swipe);
  }
  // A touch that the system takes over may never end for the page.
  window.addEventListener("blur", () => release(null), { signal });
  document.addEventListener("visibilitychange", () => release(null), { signal });

  return () => isHeld;
}
