/**
 * Calls back when the visitor leaves the page or looks at another one. Browsers discard hidden pages
 * without further events.
 */
export function whenHidden(leave: () => void, signal: AbortSignal): void {
  const onVisibility = () => {
    if (document.visibilityState === "hidden") leave();
  };
  document.addEventListener("visibilitychange", onVisibility, { signal });
  window.addEventListener("pagehide", leave, { signal });
}
