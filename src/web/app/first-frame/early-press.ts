/** The element that names the scripts of a page which opens with a film. */
export const scriptsElementId = "page-scripts";
/** On that element: the button that was pressed before any script could obey. */
export const earlyPressKey = "early";

let pressed: unknown = null;

/**
 * Called right before the page is taken over: from then on every press is heard where it belongs,
 * and one that were kept as well would be obeyed twice.
 */
export function takeEarlyPress(): void {
  const element = document.getElementById(scriptsElementId);
  if (element === null) return;
  pressed = Reflect.get(element, earlyPressKey);
  element.remove();
}

/** Called once the page has been taken over: what was pressed before happens now. */
export function obeyEarlyPress(): void {
  const button = pressed;
  pressed = null;
  if (button instanceof HTMLElement && button.isConnected) button.click();
}
