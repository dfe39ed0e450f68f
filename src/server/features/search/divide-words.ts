const minLength = 4;
const maxLength = 32;
const maxPartLength = 24;
const maxParts = 6;

/** Returns every part of a text that may be a separate word. */
export function partsOf(text: string): string[] {
  if (text.length < minLength || text.length > maxLength) return [];
  const parts = new Set<string>();
  for (let from = 0; from < text.length; from += 1) {
    for (let to = from + 1; to <= Math.min(text.length, from + maxPartLength); to += 1) {
      if (to - from < text.length) parts.add(text.slice(from, to));
    }
  }
  return [...parts];
}

/**
 * Divides joined words into as few known words as possible. Returns null if that isn't possible.
 */
export function divideWords(text: string, known: ReadonlySet<string>): string[] | null {
  /** Best division of the text up to each position. */
  const best: (string[] | null)[] = [[]];
  for (let to = 1; to <= text.length; to += 1) {
    let chosen: string[] | null = null;
    for (let from = Math.max(0, to - maxPartLength); from < to; from += 1) {
      const before = best[from] ?? null;
      const part = text.slice(from, to);
      if (before === null || !known.has(part)) continue;
      if (chosen === null || before.length + 1 < chosen.length) chosen = [...before, part];
    }
    best.push(chosen);
  }
  const words = best[text.length] ?? null;
  return words === null || words.length < 2 || words.length > maxParts ? null : words;
}
