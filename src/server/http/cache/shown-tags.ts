import { AsyncLocalStorage } from "node:async_hooks";
import type { ChangeTag } from "#server/db/change-tags.ts";

const underWay = new AsyncLocalStorage<Set<ChangeTag>>();

/**
 * Records the content of the current response, so that a change to it drops the cached response.
 * Services call it when reading, before they wait for anything. Does nothing outside a response.
 */
export function noteShown(...tags: readonly ChangeTag[]): void {
  const shown = underWay.getStore();
  if (shown !== undefined) for (const tag of tags) shown.add(tag);
}

/** Runs `work` and collects in `shown` what it and its continuations show. */
export function collectShown<T>(shown: Set<ChangeTag>, work: () => T): T {
  return underWay.run(shown, work);
}
