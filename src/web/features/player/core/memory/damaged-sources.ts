import { readStoredJson, writeStored } from "#web/lib/device-storage.ts";
import type { PlayerSource } from "../sources/player-source.ts";

const key = "kinora.damaged-sources";
const maxEntries = 50;

const read = (): string[] => {
  const value = readStoredJson(key, "sessionStorage");
  return Array.isArray(value) ? value.filter((url) => typeof url === "string") : [];
};

/**
 * Remembers until the tab is closed that a file or playlist is damaged. A repaired one has a new
 * address.
 */
export function markDamaged(url: string): void {
  const others = read().filter((each) => each !== url);
  writeStored(key, JSON.stringify([url, ...others].slice(0, maxEntries)), "sessionStorage");
}

/** Leaves out the file or the ladder if it is damaged and the other one isn't. */
export function withoutDamaged(source: PlayerSource, canPlayLadder: boolean): PlayerSource {
  const { progressiveUrl: file, hlsUrl: ladder } = source;
  if (file === null || ladder === null || !canPlayLadder) return source;
  const damaged = read();
  if (damaged.includes(file) === damaged.includes(ladder)) return source;
  return damaged.includes(file) ? { ...source, progressiveUrl: null } : { ...source, hlsUrl: null };
}
