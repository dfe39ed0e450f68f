import type { ChangeTag } from "#server/db/change-tags.ts";
import type { Trx } from "#server/db/connection.ts";
import { listVideoTags } from "./videos.repository.ts";

/**
 * Runs a change to videos. Reports the tags of everything that showed them before or may show them
 * afterwards.
 */
export async function withVideoTags<T>(
  trx: Trx,
  ids: readonly string[],
  change: () => Promise<T>,
): Promise<{ result: T; tags: Set<ChangeTag> }> {
  const before = await listVideoTags(trx, ids);
  const result = await change();
  return { result, tags: new Set([...before, ...(await listVideoTags(trx, ids))]) };
}
