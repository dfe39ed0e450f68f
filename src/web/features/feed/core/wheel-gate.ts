const enoughPx = 30;
/**
 * Pixels of a slow mouse notch in Chrome on a Mac. Faster notches are multiples of it. Trackpads
 * send whole pixels.
 */
const macNotchPx = 4.000244140625;
/** A pause of this length ends a gesture. */
const gapMs = 150;
/** The shortest time between two moves. */
const restMs = 300;
/**
 * Number of growing events in a row that mean a new flick. Busy browsers merge two events into a
 * larger one.
 */
const growingEvents = 2;

/**
 * Turns wheel events into moves of one item: one for a mouse notch, one for a flick with all its
 * notches or its inertia, and one for a new flick during the inertia. Ignores other events.
 */
export function createWheelGate() {
  let sum = 0;
  let lastAtMs = -Infinity;
  let movedAtMs = -Infinity;
  let hasMoved = false;
  /**
   * Smallest event since the pause after a move. `growing` counts the clearly larger ones in a row.
   */
  let lowPx = Infinity;
  let growing = 0;

  return {
    /** Returns 1, -1, or 0 for no move. `deltaPx` is signed, and `atMs` is monotonic. */
    feed(deltaPx: number, atMs: number): 1 | -1 | 0 {
      const size = Math.abs(deltaPx);
      const isNewGesture = atMs - lastAtMs > gapMs || Math.sign(deltaPx) !== Math.sign(sum);
      lastAtMs = atMs;
      if (isNewGesture) {
        sum = 0;
        hasMoved = false;
      }
      sum += deltaPx;
      if (atMs - movedAtMs < restMs) {
        lowPx = size;
        return 0;
      }
      if (hasMoved) {
        // Inertia and further notches don't grow, so growing events are a new flick.
        growing = size > lowPx * 1.5 + 8 ? growing + 1 : 0;
        lowPx = Math.min(lowPx, size);
        if (growing < growingEvents) return 0;
      }
      if (Math.abs(sum) < enoughPx) return 0;
      hasMoved = true;
      movedAtMs = atMs;
      growing = 0;
      const direction = deltaPx > 0 ? 1 : -1;
      sum = direction;
      return direction;
    },
  };
}

/** Milliseconds of pause before the wheel moves the feed again after a panel has scrolled. */
const panelRestMs = 300;

/**
 * Calls `move` once per wheel gesture in `area`, except in a panel that scrolls or that
 * contains a comment that wasn't sent.
 */
export function watchWheel(
  area: HTMLElement,
  move: (direction: 1 | -1) => void,
  signal: AbortSignal,
): void {
  const gate = createWheelGate();
  let panelScrolledAtMs = -Infinity;
  area.addEventListener(
    "wheel",
    (event) => {
      // The browser handles zooming and horizontal gestures.
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      const { target, timeStamp } = event;
      const panel = target instanceof Element ? target.closest(".feed-panel") : null;
      // A move would remove the text.
      const text = panel?.querySelector("textarea")?.value;
      if (panel !== null && (text || canScroll(panel, event.deltaY))) panelScrolledAtMs = timeStamp;
      // A panel at its end absorbs the rest of the gesture.
      if (timeStamp - panelScrolledAtMs < panelRestMs) {
        panelScrolledAtMs = timeStamp;
        return;
      }
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 40;
      const px = event.deltaY * unit;
      const leastPx = px % macNotchPx === 0 ? enoughPx : 0;
      const direction = gate.feed(Math.sign(px) * Math.max(Math.abs(px), leastPx), timeStamp);
      if (direction !== 0) move(direction);
    },
    { signal, passive: false },
  );
}

function canScroll({ scrollTop, scrollHeight, clientHeight }: Element, deltaY: number): boolean {
  return deltaY > 0 ? scrollTop + clientHeight < scrollHeight - 1 : scrollTop > 0;
}
