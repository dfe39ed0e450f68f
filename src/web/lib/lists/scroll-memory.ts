import { readStoredJson, writeStored } from "../device-storage.ts";

/**
 * Scroll positions of history entries. The router restores a position as soon as a page is
 * rendered. A page that grows later restores it again, with the position saved while the page was
 * long enough.
 */
const storageKey = "scroll";

let positions: Record<string, number> | null = null;
let isHeld = false;

function all(): Record<string, number> {
  if (positions !== null) return positions;
  positions = {};
  const saved = readStoredJson(storageKey, "sessionStorage");
  if (typeof saved === "object" && saved !== null) positions = { ...saved };
  return positions;
}

export function noteScroll(key: string, y: number): void {
  if (!isHeld) all()[key] = y;
}

/** Suspends saving, so that the scroll position of a placeholder isn't stored. */
export function holdScroll(isOn: boolean): void {
  isHeld = isOn;
}

export function saveScroll(): void {
  writeStored(storageKey, JSON.stringify(all()), "sessionStorage");
}

export function recallScroll(key: string): number | null {
  return all()[key] ?? null;
}

/** Scrolls to the saved position after the page has been rendered at its new length. */
export function restoreScroll(key: string): void {
  const y = recallScroll(key);
  if (y === null) return;
  requestAnimationFrame(() => window.scrollTo(0, y));
}
