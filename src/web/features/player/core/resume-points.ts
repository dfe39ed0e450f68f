import { readStoredJson, resumeKey as key, writeStored } from "#web/lib/device-storage.ts";

/** Positions at which a visitor stopped watching each video. Stored only in this browser. */
export interface ResumePoints {
  /** Returns seconds, or null if a video of this duration starts at the beginning. */
  find(videoId: string, durationS: number): number | null;
  save(videoId: string, positionS: number, durationS: number): void;
  remove(videoId: string): void;
  /** Lists all positions, latest first. */
  list(): ResumeEntries;
  /** Adds positions from another device. Existing positions take precedence. */
  add(others: ResumeEntries): void;
}

const maxEntries = 100;
const maxIdLength = 100;
/** Shorter videos always start at the beginning. */
const minDurationS = 60;
/** Positions this close to the start or the end aren't worth resuming. */
const edgeS = 10;

export type ResumeEntries = [videoId: string, positionS: number][];

/** Reads saved positions and ignores invalid ones. */
export function readResumeEntries(value: unknown): ResumeEntries {
  if (!Array.isArray(value)) return [];
  const isValid = (entry: unknown): entry is ResumeEntries[number] =>
    Array.isArray(entry) &&
    typeof entry[0] === "string" &&
    entry[0].length <= maxIdLength &&
    typeof entry[1] === "number" &&
    entry[1] >= 0;
  return value.filter(isValid);
}

const read = () => readResumeEntries(readStoredJson(key));

function write(entries: ResumeEntries): void {
  writeStored(key, JSON.stringify(entries.slice(0, maxEntries)));
}

function remove(videoId: string): void {
  const entries = read();
  const rest = entries.filter(([id]) => id !== videoId);
  if (rest.length !== entries.length) write(rest);
}

/** Shared by all players of this page. */
export const resumePoints: ResumePoints = {
  find: (videoId, durationS) =>
    read().find(([id, atS]) => id === videoId && atS <= durationS - edgeS)?.[1] ?? null,
  save(videoId, positionS, durationS) {
    if (durationS < minDurationS) return;
    if (positionS < edgeS || positionS > durationS - edgeS) return remove(videoId);
    const rest = read().filter(([id]) => id !== videoId);
    write([[videoId, Math.floor(positionS)], ...rest]);
  },
  remove,
  list: read,
  add(others) {
    const own = read();
    const ownIds = new Set(own.map(([id]) => id));
    write([...own, ...others.filter(([id]) => !ownIds.has(id))]);
  },
};
