import type { CardList } from "./card-video.ts";

/**
 * Loaded lists by history entry, so that Back restores them at full length. They are also stored in
 * session storage, so that a reload doesn't lose them.
 */
const storageKey = "lists";
const maxLists = 12;

let memory: Map<string, CardList> | null = null;

function lists(): Map<string, CardList> {
  if (memory !== null) return memory;
  memory = new Map();
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "[]");
    // Only this code writes the value, and manual changes only affect that browser.
    if (Array.isArray(saved)) memory = new Map(saved as [string, CardList][]);
  } catch {
    // The stored value is damaged, so starts with an empty list.
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
    // Storage is full or off. The memory still has the lists.
  }
}
