// A dialog that fades out (`data-closed`) no longer owns the keys or the focus.
const openDialog = "dialog[open],[role$=dialog]:not([data-closed])";

/** Returns whether a dialog is open: the page then ignores its keyboard shortcuts. */
export function hasOpenDialog(): boolean {
  return document.querySelector(openDialog) !== null;
}

/** Returns whether the focus is inside an open dialog, which must keep it. */
export function isFocusInDialog(): boolean {
  return document.activeElement?.closest(openDialog) != null;
}
