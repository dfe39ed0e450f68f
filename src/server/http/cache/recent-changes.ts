import type { Changes, ChangeTag } from "#server/db/change-tags.ts";

/** Number of changes remembered. If more happen while a response is prepared, it isn't cached. */
const kept = 100;

/** Remembers recent changes for responses that are prepared while they happen. */
export function createRecentChanges() {
  const latest: Changes[] = [];
  let count = 0;
  return {
    add(changes: Changes): void {
      latest.push(changes);
      count += 1;
      if (latest.length > kept) latest.shift();
    },
    /** Returns the number of changes so far. */
    count: (): number => count,
    /**
     * Returns whether any change after the first `count` changes concerns a response with these
     * tags.
     */
    concernsSince(since: number, tags: ReadonlySet<ChangeTag>): boolean {
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
