import type { Changes, ChangeTag } from "#server/db/change-tags.ts";

/** Remembers recent changes for responses that are prepared while they happen. */
export interface RecentChanges {
  add(changes: Changes): void;
  /** Returns the number of changes so far. */
  count(): number;
  /**
   * Returns whether any change after the first `count` changes concerns a response with these tags.
   */
  concernsSince(count: number, tags: ReadonlySet<ChangeTag>): boolean;
}

/** Number of changes remembered. If more happen while a response is prepared, it isn't cached. */
const kept = 100;

export function createRecentChanges(): RecentChanges {
  const latest: Changes[] = [];
  let count = 0;
  return {
    add(changes) {
      latest.push(changes);
      count += 1;
      if (latest.length > kept) latest.shift();
    },
    count: () => count,
    concernsSince(since, tags) {
      const missed = count - since;
      if (missed === 0) return false;
      if (missed > latest.length) return true;
      return latest.slice(-missed).some((changes) => isShown(tags, changes));
    },
  };
}

/**
 * Returns whether a response with these tags shows any of the changes. Every change drops a response
 * without tags.
 */
export function isShown(tags: ReadonlySet<ChangeTag>, changes: Changes): boolean {
  if (changes === "everything" || tags.size === 0) return true;
  return [...changes].some((tag) => tags.has(tag));
}
