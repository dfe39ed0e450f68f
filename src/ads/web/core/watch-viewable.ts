/**
 * Milliseconds for which half of an ad must be in view to count as viewable (MRC guidelines). In an
 * ad break, the time for videos applies to every ad.
 */
export const viewableAfterMs = { image: 1000, video: 2000 } as const;

/**
 * Milliseconds between checks, because an element may be covered or become transparent without
 * scrolling.
 */
const checkEveryMs = 200;
/** Positions of the nine points as fractions of the width and height. */
const pointsAt = [1 / 6, 1 / 2, 5 / 6] as const;
const minVisiblePoints = 5;

/**
 * Calls back once when at least half of the element has been in view for this long without
 * interruption. The tab must be visible, and the element must not be covered, transparent or empty.
 * @returns a function that stops watching.
 */
export function watchViewable(
  element: Element,
  afterMs: number,
  onViewable: () => void,
): () => void {
  if (typeof IntersectionObserver === "undefined") return () => {};
  let checks: ReturnType<typeof setInterval> | undefined;
  let visibleSinceMs: number | null = null;
  let isHalfVisible = false;

  const stop = () => {
    clearInterval(checks);
    observer.disconnect();
    document.removeEventListener("visibilitychange", restart);
  };
  function check(): void {
    if (!isMostlyUncovered(element)) {
      visibleSinceMs = null;
      return;
    }
    visibleSinceMs ??= performance.now();
    if (performance.now() - visibleSinceMs < afterMs) return;
    stop();
    onViewable();
  }
  function restart(): void {
    clearInterval(checks);
    visibleSinceMs = null;
    if (!isHalfVisible || document.visibilityState !== "visible") return;
    checks = setInterval(check, checkEveryMs);
    check();
  }
  const observer = new IntersectionObserver(
    (entries) => {
      const isHalf = (entries.at(-1)?.intersectionRatio ?? 0) >= 0.5;
      if (isHalf === isHalfVisible) return;
      isHalfVisible = isHalf;
      restart();
    },
    { threshold: [0, 0.5] },
  );
  observer.observe(element);
  document.addEventListener("visibilitychange", restart);
  return stop;
}

/**
 * Returns whether the element, or something inside it, is visible at more than half of nine points.
 */
function isMostlyUncovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (width < 1 || height < 1 || isTransparent(element)) return false;
  let visible = 0;
  for (const x of pointsAt) {
    for (const y of pointsAt) {
      const hit = document.elementFromPoint(left + width * x, top + height * y);
      if (hit !== null && element.contains(hit)) visible += 1;
    }
  }
  return visible >= minVisiblePoints;
}

/**
 * Multiplies the opacity of the element and all its ancestors. Below one half, it isn't visible.
 */
function isTransparent(element: Element): boolean {
  if (/hidden|collapse/.test(getComputedStyle(element).visibility)) return true;
  let opacity = 1;
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    opacity *= Number(getComputedStyle(at).opacity || 1);
  }
  return opacity < 0.5;
}
