import type { Trx } from "#server/db/connection.ts";
import { recordAudits, type Actor } from "#server/features/audit/audit.service.ts";
import { setPublished, setUnpublished } from "./publishing.repository.ts";

/**
 * Publishes the drafts among these videos and writes an audit entry for each. The publication time
 * is the scheduled time if that has come, otherwise the time of the first listing, otherwise `at`.
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
 * Unpublishes these videos, cancels the schedules of drafts, and writes an audit entry for each
 * change.
 * @returns how many were published or scheduled.
 */
export async function unpublishVideos(trx: Trx, ids: string[], actor: Actor): Promise<number> {
  const unpublished = await setUnpublished(trx, ids);
  await recordAudits(
    trx,
    actor,
    unpublished.map(({ id, title, publishAt }) => {
      const about = { entity: "video", entityId: id };
      // Only drafts are scheduled.
      return publishAt === null
        ? {
            ...about,
            action: "video.unpublished",
            before: { title, isPublished: true },
            after: { isPublished: false },
          }
        : {
            ...about,
            action: "video.unscheduled",
            before: { title, publishAt: publishAt.toISOString() },
            after: { publishAt: null },
          };
    }),
  );
  return unpublished.length;
}
