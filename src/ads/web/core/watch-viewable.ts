/**
 * Milliseconds for which half of an ad must be in view to count as viewable (MRC guidelines). In an
 * ad break, the time for videos applies to every ad.
 */
export const viewableAfterMs = { image: 1000, video: 2000 } as const;

/**
 * Calls back once after at least half of the element was in view for this long without
 * interruption, while the tab was visible.
 * @returns a function that stops watching.
 */
export function watchViewable(
  element: Element,
  afterMs: number,
  onViewable: () => void,
): () => void {
  if (typeof IntersectionObserver === "undefined") return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isHalfVisible = false;

  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("visibilitychange", restart);
  };
  function restart(): void {
    clearTimeout(timer);
    if (!isHalfVisible || document.visibilityState !== "visible") return;
    timer = setTimeout(() => {
      stop();
      onViewable();
    }, afterMs);
  }
  const observer = new IntersectionObserver(
    (entries) => {
      isHalfVisible = (entries.at(-1)?.intersectionRatio ?? 0) >= 0.5;
      restart();
    },
    { threshold: [0, 0.5] },
  );
  observer.observe(element);
  document.addEventListener("visibilitychange", restart);
  return stop;
}
