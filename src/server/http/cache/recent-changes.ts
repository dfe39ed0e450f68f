import type { Changes, ChangeTag } from "#server/db/change-tags.ts";
import { isShown } from "./tag-index.ts";

/** The latest changes, for responses that are being prepared while they happen. */
export interface RecentChanges {
  add(changes: Changes): void;
  /** The number of changes so far. */
  count(): number;
  /** Whether a change after the first `count` ones concerns a response with these tags. */
  concernsSince(count: number, tags: ReadonlySet<ChangeTag>): boolean;
}

/** A response during which more changes than these happen is not cached. */
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
