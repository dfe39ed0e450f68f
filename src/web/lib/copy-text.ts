/**
 * Copies without the Clipboard API, which is missing over plain HTTP. Returns whether it worked.
 */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.cssText = "position:fixed;opacity:0";
  // An open dialog prevents elements outside it from taking the focus.
  (document.querySelector("[role=dialog]") ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

/** @returns whether the text is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Opens the device's share sheet. @returns false if there is none or it failed. */
export async function shareByDevice(title: string, url: string): Promise<boolean> {
  if (typeof navigator.share !== "function") return false;
  try {
    await navigator.share({ title, url });
    return true;
  } catch (error) {
    // The visitor closed the sheet.
    return error instanceof DOMException && error.name === "AbortError";
  }
}
