import type { CardList } from "./card-video.ts";

/**
 * Loaded lists by their entry in the history: Back restores them at full length. The storage of the
 * tab keeps them too, so that a reload in between loses nothing.
 */
const storageKey = "lists";
const maxLists = 12;

let memory: Map<string, CardList> | null = null;

function lists(): Map<string, CardList> {
  if (memory !== null) return memory;
  memory = new Map();
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "[]");
    // Only this code writes it, and a manual change affects only that browser.
    if (Array.isArray(saved)) memory = new Map(saved as [string, CardList][]);
  } catch {
    // Damaged: start with an empty list.
  }
  return memory;
}

export function recallList(key: string): CardList | null {
  return lists().get(key) ?? null;
}

export function rememberList(key: string, list: CardList): void {
  const all = lists();
  all.delete(key);
  all.set(key, list);
  const oldest = all.size > maxLists ? all.keys().next().value : undefined;
  if (oldest !== undefined) all.delete(oldest);
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...all]));
  } catch {
    // Storage is full or off: memory remains.
  }
}
