/** The element that names the scripts of a page which opens with a film. */
export const scriptsElementId = "page-scripts";
/** On that element: the button that was pressed before any script could obey. */
export const earlyPressKey = "early";

/** Called once the page has been taken over: what was pressed before happens now. */
export function obeyEarlyPress(): void {
  const element = document.getElementById(scriptsElementId);
  if (element === null) return;
  const button: unknown = Reflect.get(element, earlyPressKey);
  element.remove();
  if (button instanceof HTMLElement && button.isConnected) button.click();
}
