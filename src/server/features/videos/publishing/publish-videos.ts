import type { Trx } from "#server/db/connection.ts";
import type { Actor } from "#server/lib/actor.ts";
import { recordAudits } from "#server/features/audit/audit.service.ts";
import { setPublished, setUnpublished } from "./publishing.repository.ts";

/**
 * Publishes the drafts among these videos, with an audit entry each. The time of publication is a
 * scheduled time that is due, otherwise that of the first publication, otherwise `at`.
 * @returns the number of drafts.
 */
export async function publishVideos(
  trx: Trx,
  ids: string[],
  { at, actor }: { at: Date; actor: Actor },
): Promise<number> {
  const published = await setPublished(trx, ids, at);
  await recordAudits(
    trx,
    actor,
    published.map(({ id, title, publishAt }) => ({
      action: "video.published",
      entity: "video",
      entityId: id,
      before: { title, isPublished: false, publishAt: publishAt?.toISOString() ?? null },
      after: { isPublished: true, publishAt: null },
    })),
  );
  return published.length;
}

/**
 * Unpublishes the published ones of these videos, with an audit entry each.
 * @returns the number of published ones.
 */
export async function unpublishVideos(trx: Trx, ids: string[], actor: Actor): Promise<number> {
  const unpublished = await setUnpublished(trx, ids);
  await recordAudits(
    trx,
    actor,
    unpublished.map(({ id, title }) => ({
      action: "video.unpublished",
      entity: "video",
      entityId: id,
      before: { title, isPublished: true },
      after: { isPublished: false },
    })),
  );
  return unpublished.length;
}
