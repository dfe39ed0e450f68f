import { AsyncLocalStorage } from "node:async_hooks";
import type { ChangeTag } from "#server/db/change-tags.ts";

const underWay = new AsyncLocalStorage<Set<ChangeTag>>();

/**
 * Says what the response under way shows, so that a change of it drops the cached response. Services
 * call it where they read, before they wait for anything. It does nothing outside of a response.
 */
export function noteShown(...tags: readonly ChangeTag[]): void {
  const shown = underWay.getStore();
  if (shown !== undefined) for (const tag of tags) shown.add(tag);
}

/** Runs `work` and what follows from it; `shown` collects what it shows. */
export function collectShown<T>(shown: Set<ChangeTag>, work: () => T): T {
  return underWay.run(shown, work);
}
