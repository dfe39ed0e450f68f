const typingRoles = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);
const ownKeyRoles = new Set(["menuitemradio", "menuitem", "option", "tab", "radio"]);

/** Returns whether the visitor is typing in a field, so that no key is a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement)
    return !/^(range|button|checkbox|radio)$/.test(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return typingRoles.has(target.getAttribute("role") ?? "");
}

/** Returns whether the focused control handles this key itself. */
export function isClaimed(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (ownKeyRoles.has(target.getAttribute("role") ?? "")) return true;
  const isSlider = target instanceof HTMLInputElement && target.type === "range";
  if (isSlider) return /^(arrow\w+|home|end|page\w+)$/i.test(key);
  if (key === " " || key === "Enter") {
    return target.closest("button, a[href], summary, input, [role=button]") !== null;
  }
  return target.closest("[role=menu], [role=dialog], dialog, [role=radiogroup]") !== null;
}
