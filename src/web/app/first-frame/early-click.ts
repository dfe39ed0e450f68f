import "./handoff.ts";

let button: Element | null = null;

/**
 * Called right before hydration. From then on React handles clicks; one that were kept as well would
 * act twice.
 */
export function takeEarlyClick(): void {
  button = window.earlyClick?.button ?? null;
  window.earlyClick = undefined;
}

/** Called after hydration: the button that was clicked before acts now. */
export function replayEarlyClick(): void {
  const clicked = button;
  button = null;
  if (clicked instanceof HTMLElement && clicked.isConnected) clicked.click();
}
