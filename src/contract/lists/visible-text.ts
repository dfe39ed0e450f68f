/**
 * Characters that show nothing by themselves: spaces, control and format characters, fillers, variation
 * selectors, combining marks and the empty Braille pattern.
 */
const invisible = /[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
const allInvisible = new RegExp(`^${invisible.source}*$`, "u");

/** Whether a text shows anything to a reader. */
export const hasVisibleText = (text: string): boolean => !allInvisible.test(text);

/** A text without its ends of white space; empty if nothing of it can be seen. */
export const visibleOrEmpty = (text: string): string => {
  const trimmed = text.trim();
  return hasVisibleText(trimmed) ? trimmed : "";
};
