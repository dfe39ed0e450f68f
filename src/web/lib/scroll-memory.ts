/**
 * Where each page of the history was scrolled to. The router restores a place as soon as a page is
 * drawn; a page that grows afterwards asks again, with the place noted before it was too short.
 */
const storageKey = "scroll";

let positions: Record<string, number> | null = null;
let isHeld = false;

function all(): Record<string, number> {
  if (positions !== null) return positions;
  positions = {};
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "{}");
    if (typeof saved === "object" && saved !== null) positions = { ...saved };
  } catch {
    // Nothing usable: every page starts at its top.
  }
  return positions;
}

export function noteScroll(key: string, y: number): void {
  if (!isHeld) all()[key] = y;
}

/** While something stands in for the page, its movements are not the page's place. */
export function holdScroll(isOn: boolean): void {
  isHeld = isOn;
}

export function saveScroll(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(all()));
  } catch {
    // Storage is full or off.
  }
}

export function recallScroll(key: string): number | null {
  return all()[key] ?? null;
}

/** Goes to the noted place once the page has been drawn at its new length. */
export function restoreScroll(key: string): void {
  const y = recallScroll(key);
  if (y === null) return;
  requestAnimationFrame(() => window.scrollTo(0, y));
}
