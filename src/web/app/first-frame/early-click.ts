import "./handoff.ts";

let button: Element | null = null;

/**
 * Called right before hydration. From then on, React handles clicks, and recorded ones would act
 * twice.
 */
export function takeEarlyClick(): void {
  button = window.earlyClick?.button ?? null;
  window.earlyClick = undefined;
}

/** Called after hydration. Repeats the click made before it. */
export function replayEarlyClick(): void {
  const clicked = button;
  button = null;
  if (clicked instanceof HTMLElement && clicked.isConnected) clicked.click();
}
