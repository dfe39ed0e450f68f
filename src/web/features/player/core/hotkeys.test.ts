// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { hotkeyAction, isClaimed, isHeld } from "./hotkeys.ts";

const press = (key: string, held: object = {}) => ({
  key,
  code: "",
  shiftKey: false,
  repeat: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test.each([
  [" ", { name: "toggle" }],
  ["K", { name: "toggle" }],
  ["j", { name: "seekBy", seconds: -10 }],
  ["l", { name: "seekBy", seconds: 10 }],
  ["ArrowLeft", { name: "seekBy", seconds: -5 }],
  ["0", { name: "seekToShare", share: 0 }],
  ["9", { name: "seekToShare", share: 0.9 }],
  ["m", { name: "mute" }],
  ["f", { name: "fullscreen" }],
  ["?", { name: "help" }],
])("%s", (key, action) => expect(hotkeyAction(press(key), false)).toEqual(action));

test("leaves the browser's own shortcuts alone", () => {
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    expect(hotkeyAction(press("f", held), true)).toBeNull();
  }
});

test("leaves the up and down keys to the page unless the player has the focus", () => {
  expect(hotkeyAction(press("ArrowUp"), false)).toBeNull();
  expect(hotkeyAction(press("ArrowUp"), true)).toEqual({ name: "volumeBy", change: 0.05 });
});

test("ignores other keys, including names of object properties", () => {
  for (const key of ["x", "Enter", "Tab", "constructor", "toString"]) {
    expect(hotkeyAction(press(key), true)).toBeNull();
  }
});

test("handles keys while the seek bar has focus, but not while a menu does", () => {
  const focused = document.createElement("div");
  focused.setAttribute("role", "slider");
  for (const key of [" ", "k", "m"]) expect(isClaimed(focused, key)).toBe(false);
  focused.setAttribute("role", "menuitem");
  expect(isClaimed(focused, "k")).toBe(true);
});

test("repeats only seeking, volume, speed and frames while a key is held", () => {
  const repeats = [..." kjlmftic><.,?", "ArrowLeft", "ArrowUp"].filter((key) => {
    const held = press(key, { repeat: true });
    const action = hotkeyAction(held, true);
    return action !== null && !isHeld(held, action);
  });
  expect(repeats).toEqual(["j", "l", ">", "<", ".", ",", "ArrowLeft", "ArrowUp"]);
});

test("reads the place of a key on keyboards for other scripts", () => {
  expect(hotkeyAction(press("ь", { code: "KeyM" }), false)).toEqual({ name: "mute" });
  expect(hotkeyAction(press("è", { code: "Digit7" }), false)).toEqual({
    name: "seekToShare",
    share: 0.7,
  });
});
