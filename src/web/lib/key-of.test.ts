import { expect, test } from "vitest";
import { keyOf } from "./key-of.ts";

test.each([
  ["K on a US keyboard", "k", "KeyK", false, "k"],
  ["K with Caps Lock", "K", "KeyK", false, "k"],
  ["K on a Dvorak keyboard", "k", "KeyV", false, "k"],
  ["K on a Russian keyboard", "л", "KeyK", false, "k"],
  ["K on a Greek keyboard", "κ", "KeyK", false, "k"],
  ["K on an Arabic keyboard", "ن", "KeyK", false, "k"],
  ["K on a Hebrew keyboard", "ל", "KeyK", false, "k"],
  ["K on a Korean keyboard", "ㅏ", "KeyK", false, "k"],
  ["K in an input method", "Process", "KeyK", false, "k"],
  ["5 on a French keyboard", "(", "Digit5", false, "5"],
  ["2 on a French keyboard", "é", "Digit2", false, "2"],
  ["5 with Shift on a US keyboard", "%", "Digit5", true, "%"],
  ["5 with Shift on a French keyboard", "5", "Digit5", true, "5"],
  ["5 on the number pad", "5", "Numpad5", false, "5"],
  ["a period on a Russian keyboard", "ю", "Period", false, "."],
  ["a question mark on an Arabic keyboard", "؟", "Slash", true, "?"],
  ["an arrow", "ArrowLeft", "ArrowLeft", false, "arrowleft"],
  ["another letter", "ß", "Minus", false, "ß"],
])("reads %s", (_, key, code, shiftKey, expected) => {
  expect(keyOf({ key, code, shiftKey })).toBe(expected);
});
