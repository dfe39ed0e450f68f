type KeyPress = Pick<KeyboardEvent, "key" | "code" | "shiftKey">;

/** Signs by their place on a US keyboard, without and with Shift. */
const signs: Record<string, readonly [string, string]> = {
  Period: [".", ">"],
  Comma: [",", "<"],
  Slash: ["/", "?"],
};

/**
 * Returns the key of a shortcut in lower case. The typed character counts first. On keyboards for
 * other scripts, such as Russian or Korean, the place of the key on a US keyboard counts, and so
 * does that of a digit that needs Shift, as on a French keyboard.
 */
export function keyOf({ key, code, shiftKey }: KeyPress): string {
  const typed = key.toLowerCase();
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined && !shiftKey) return digit;
  // Input methods report "Process" instead of a character.
  if (typed !== "process" && !/^\P{ASCII}/u.test(typed)) return typed;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter?.toLowerCase() ?? signs[code]?.[shiftKey ? 1 : 0] ?? typed;
}

/**
 * Returns whether a key press belongs to an input method, such as Enter that accepts Japanese text.
 * Safari ends the composition before this press, and only its key code tells.
 */
export const isOfInputMethod = (press: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean =>
  press.isComposing || press.keyCode === 229;
