import { keyOf } from "#web/lib/key-of.ts";

/** Actions that a key can trigger. */
export type HotkeyAction =
  | { name: "toggle" }
  | { name: "seekBy"; seconds: number }
  | { name: "seekToShare"; share: number }
  | { name: "volumeBy"; change: number }
  | { name: "mute" }
  | { name: "fullscreen" }
  | { name: "theatre" }
  | { name: "pictureInPicture" }
  | { name: "captions" }
  | { name: "faster" }
  | { name: "slower" }
  | { name: "frame"; direction: 1 | -1 }
  | { name: "help" };

type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "repeat"
>;

/** Actions that continue while their key is held. All others happen once. */
const continues = new Set<HotkeyAction["name"]>([
  "seekBy",
  "volumeBy",
  "frame",
  "faster",
  "slower",
]);

const plainKeys: Record<string, HotkeyAction> = {
  " ": { name: "toggle" },
  k: { name: "toggle" },
  j: { name: "seekBy", seconds: -10 },
  l: { name: "seekBy", seconds: 10 },
  arrowleft: { name: "seekBy", seconds: -5 },
  arrowright: { name: "seekBy", seconds: 5 },
  m: { name: "mute" },
  f: { name: "fullscreen" },
  t: { name: "theatre" },
  i: { name: "pictureInPicture" },
  c: { name: "captions" },
  ">": { name: "faster" },
  "<": { name: "slower" },
  ".": { name: "frame", direction: 1 },
  ",": { name: "frame", direction: -1 },
  "?": { name: "help" },
};

/** Keys that scroll the page unless the player has the focus. */
const focusedKeys: Record<string, HotkeyAction> = {
  arrowup: { name: "volumeBy", change: 0.05 },
  arrowdown: { name: "volumeBy", change: -0.05 },
  home: { name: "seekToShare", share: 0 },
  end: { name: "seekToShare", share: 1 },
};

/** Returns whether a press only repeats an action that happens once. The page must not use it. */
export const isHeld = (press: KeyPress, action: HotkeyAction): boolean =>
  press.repeat && !continues.has(action.name);

/** Returns the action of a key press, or null if the player doesn't use the key. */
export function hotkeyAction(press: KeyPress, hasFocus: boolean): HotkeyAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const key = keyOf(press);
  if (/^\d$/.test(key)) return { name: "seekToShare", share: Number(key) / 10 };
  if (Object.hasOwn(plainKeys, key)) return plainKeys[key] ?? null;
  if (hasFocus && Object.hasOwn(focusedKeys, key)) return focusedKeys[key] ?? null;
  return null;
}

const typingRoles = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);
const ownKeyRoles = new Set(["menuitemradio", "menuitem", "option", "tab", "radio"]);

/** Returns whether the visitor is typing in a field, so that no key controls the player. */
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
