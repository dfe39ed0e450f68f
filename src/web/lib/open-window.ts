// A dialog that fades out (`data-closed`) no longer owns the keys or the focus.
const openWindow = "dialog[open],[role$=dialog]:not([data-closed])";

/** Whether a dialog is open: the page then ignores its keyboard shortcuts. */
export function hasOpenWindow(): boolean {
  return document.querySelector(openWindow) !== null;
}

/** Whether the focus is inside an open dialog, where the page must leave it. */
export function isFocusInWindow(): boolean {
  return document.activeElement?.closest(openWindow) != null;
}
