import { steeringMax } from "#contract/lists/feed.ts";
import { readStoredJson, wishesKey, writeStored } from "#web/lib/device-storage.ts";

/** Feed preferences of the visitor, stored only in this browser. */
export interface Steering {
  /** False if the feed must not adapt to the visitor's plays. */
  isPersonal: boolean;
  /**
   * Ids of videos that don't interest the visitor. `less` contains tags they want to see less of.
   */
  not: readonly string[];
  less: readonly string[];
}

const none: Steering = { isPersonal: true, not: [], less: [] };

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

export function readSteering(): Steering {
  const saved = readStoredJson(wishesKey);
  if (typeof saved !== "object" || saved === null) return none;
  const fields = new Map<string, unknown>(Object.entries(saved));
  return {
    isPersonal: fields.get("isPersonal") !== false,
    not: texts(fields.get("not")),
    less: texts(fields.get("less")),
  };
}

/** Stores preferences. Only the latest ones of each kind are retained. */
export function changeSteering(change: {
  isPersonal?: boolean;
  not?: string;
  less?: string;
}): void {
  const { isPersonal, not, less } = readSteering();
  const latest = (ids: readonly string[], id: string | undefined, max: number) =>
    id === undefined ? ids : [...ids.filter((other) => other !== id), id].slice(-max);
  const changed: Steering = {
    isPersonal: change.isPersonal ?? isPersonal,
    not: latest(not, change.not, steeringMax.not),
    less: latest(less, change.less, steeringMax.less),
  };
  writeStored(wishesKey, JSON.stringify(changed));
}

/** Returns the query of the feed request. Empty if there are no preferences. */
export function steeringQuery(): Record<string, string> {
  const { isPersonal, not, less } = readSteering();
  return {
    personal: isPersonal ? "" : "false",
    not: not.join(","),
    less: less.join(","),
  };
}
