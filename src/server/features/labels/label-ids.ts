import type { LabelKind } from "#contract/lists/labels.ts";

/** Ids of labels by slug or name, cached until labels change. Unknown names aren't cached. */
export interface LabelIds {
  find(kind: LabelKind, slugOrName: string): Promise<string | null>;
  invalidate(): void;
}

const maxNames = 10_000;

/** @param read finds the id in the database. */
export function createLabelIds(read: LabelIds["find"]): LabelIds {
  let known = new Map<string, string>();
  return {
    async find(kind, slugOrName) {
      const key = `${kind}/${slugOrName}`;
      const id = known.get(key);
      if (id !== undefined) return id;
      // A read that started before an invalidation must not be cached.
      const own = known;
      const found = await read(kind, slugOrName);
      if (found === null) return null;
      if (own.size >= maxNames) own.clear();
      own.set(key, found);
      return found;
    },
    invalidate() {
      known = new Map();
    },
  };
}
