import { readStoredJson, writeStored } from "../device-storage.ts";
import type { CardList } from "./card-video.ts";

/**
 * Loaded lists by history entry, so that Back restores them at full length. They are also stored in
 * session storage, for when Back loads the document again.
 */
const storageKey = "lists";
const maxLists = 12;

let memory: Map<string, CardList> | null = null;

function lists(): Map<string, CardList> {
  if (memory !== null) return memory;
  const saved = readStoredJson(storageKey, "sessionStorage");
  // Only this code writes the value, and manual changes only affect that browser.
  memory = new Map(Array.isArray(saved) ? (saved as [string, CardList][]) : []);
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
  save();
}

export function forgetList(key: string): void {
  if (lists().delete(key)) save();
}

function save(): void {
  // If the storage is full or off, the memory still has the lists.
  writeStored(storageKey, JSON.stringify([...lists()]), "sessionStorage");
}
