// One that fades out (`data-closed`) is done with: it owns neither keys nor the focus any more.
const openWindow = "dialog[open],[role$=dialog]:not([data-closed])";

/** A window is open: the keys of the page below it rest. */
export function hasOpenWindow(): boolean {
  return document.querySelector(openWindow) !== null;
}

/** The focus is inside an open window: nothing of the page may take it away. */
export function isFocusInWindow(): boolean {
  return document.activeElement?.closest(openWindow) != null;
}
