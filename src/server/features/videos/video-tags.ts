import type { ChangeTag } from "#server/db/change-tags.ts";
import type { Trx } from "#server/db/connection.ts";
import { listVideoTags, lockWithClips } from "./videos.repository.ts";

/**
 * Runs a change to videos. Reports the tags of everything that showed them, or their clips, before
 * or may show them afterwards. Clips follow their long videos.
 */
export async function withVideoTags<T>(
  trx: Trx,
  ids: readonly string[],
  change: () => Promise<T>,
): Promise<{ result: T; tags: Set<ChangeTag> }> {
  const known = await lockWithClips(trx, ids);
  const before = await listVideoTags(trx, known);
  const result = await change();
  // A video that leaves the trash may have clips.
  const all = [...new Set([...known, ...(await lockWithClips(trx, ids))])];
  return { result, tags: new Set([...before, ...(await listVideoTags(trx, all))]) };
}
