/**
 * Tells once when at least half of the element was in view for so long without a break (MRC: one
 * second for a picture, two for a film), while the tab was the one looked at.
 * @returns a function that stops watching.
 */
export function watchViewable(element: Element, forMs: number, onViewable: () => void): () => void {
  if (typeof IntersectionObserver === "undefined") return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isHalfVisible = false;

  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("visibilitychange", judge);
  };
  function judge(): void {
    clearTimeout(timer);
    if (!isHalfVisible || document.visibilityState !== "visible") return;
    timer = setTimeout(() => {
      stop();
      onViewable();
    }, forMs);
  }
  const observer = new IntersectionObserver(
    (entries) => {
      isHalfVisible = (entries.at(-1)?.intersectionRatio ?? 0) >= 0.5;
      judge();
    },
    { threshold: [0, 0.5] },
  );
  observer.observe(element);
  document.addEventListener("visibilitychange", judge);
  return stop;
}
