import type { Changes, ChangeTag } from "#server/db/change-tags.ts";

/** Index of the content of cached responses. */
export interface TagIndex {
  add(key: string, tags: ReadonlySet<ChangeTag>): void;
  remove(key: string, tags: ReadonlySet<ChangeTag>): void;
  /** Returns the keys of all responses that show any of these changes. */
  listShowing(changes: ReadonlySet<ChangeTag>): Set<string>;
  clear(): void;
}

/** Tag of a response without tags, which every change drops. */
const unknown = "unknown";
type Name = ChangeTag | typeof unknown;

/** Memory per tag of a response: a map entry, and a set that may contain only this key. */
export const bytesPerTag = 300;

export function createTagIndex(): TagIndex {
  const keys = new Map<Name, Set<string>>();

  const namesOf = (tags: ReadonlySet<ChangeTag>): Iterable<Name> =>
    tags.size === 0 ? [unknown] : tags;

  return {
    add(key, tags) {
      for (const tag of namesOf(tags)) {
        const known = keys.get(tag);
        if (known === undefined) keys.set(tag, new Set([key]));
        else known.add(key);
      }
    },

    remove(key, tags) {
      for (const tag of namesOf(tags)) {
        const known = keys.get(tag);
        known?.delete(key);
        if (known?.size === 0) keys.delete(tag);
      }
    },

    listShowing(changes) {
      const found = new Set(keys.get(unknown));
      for (const tag of changes) for (const key of keys.get(tag) ?? []) found.add(key);
      return found;
    },

    clear: () => keys.clear(),
  };
}

/** Returns whether a response with these tags shows any of the changes. */
export function isShown(tags: ReadonlySet<ChangeTag>, changes: Changes): boolean {
  if (changes === "everything" || tags.size === 0) return true;
  return [...changes].some((tag) => tags.has(tag));
}
