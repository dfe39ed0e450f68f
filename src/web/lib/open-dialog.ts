// A dialog that fades out (`data-closed`) no longer owns the keys or the focus.
const openDialog = "dialog[open],[role$=dialog]:not([data-closed])";

/** Returns whether a dialog is open. If so, the page ignores its keyboard shortcuts. */
export function hasOpenDialog(): boolean {
  return document.querySelector(openDialog) !== null;
}

/** Returns whether the focus is inside an open dialog and must stay there. */
export function isFocusInDialog(): boolean {
  return document.activeElement?.closest(openDialog) != null;
}

/** Returns whether a key press belongs to an open dialog or menu. */
export function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`${openDialog},[role=menu]`) !== null;
}
