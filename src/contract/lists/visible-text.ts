/**
 * Characters that are invisible on their own: spaces, control and format characters, fillers,
 * variation selectors, combining marks and the empty Braille pattern.
 */
const invisible = /[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
const allInvisible = new RegExp(`^${invisible.source}*$`, "u");

/** Returns whether a text is visible to a reader. */
export const hasVisibleText = (text: string): boolean => !allInvisible.test(text);

/** Trims a text. Returns an empty string if none of it is visible. */
export const visibleOrEmpty = (text: string): string => {
  const trimmed = text.trim();
  return hasVisibleText(trimmed) ? trimmed : "";
};
