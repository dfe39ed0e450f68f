import type { Trx } from "#server/db/connection.ts";
import { recordAudits, type Actor } from "#server/features/audit/audit.service.ts";
import { hydrateVideos } from "../query/video-list.repository.ts";
import { presentVideo } from "../query/videos.presenter.ts";
import type { RemovedVideo } from "../files/stored-files.service.ts";
import { sourceKeyOf } from "../files/video-files.ts";
import { deleteVideos, lockVideosToRemove } from "../videos.repository.ts";
import { deleteRemoved, keepInTrash, listOtherSources } from "./trash.repository.ts";

/**
 * Moves the given videos to the trash and writes an audit entry for each. Ignores unknown ids. After
 * the commit, pass the result to `deleteVideoFiles`.
 * @param options.isFinal bypasses the trash and deletes the videos already in it, for videos that
 *   must not come back.
 */
export async function removeVideos(
  trx: Trx,
  ids: string[],
  actor: Actor,
  { isFinal = false }: { isFinal?: boolean } = {},
): Promise<RemovedVideo[]> {
  await lockVideosToRemove(trx, ids);
  const removed = await hydrateVideos(trx, ids);
  const otherSources = await listOtherSources(trx, ids);
  const kept = new Set(isFinal ? [] : await keepInTrash(trx, ids, actor.user.email));
  await deleteVideos(trx, ids);
  await recordAudits(
    trx,
    actor,
    removed.map((video) => ({
      action: "video.deleted",
      entity: "video",
      entityId: video.row.id,
      before: presentVideo(video, { isAdmin: true }),
    })),
  );
  const erased = isFinal ? await eraseTrashed(trx, ids, actor) : [];
  return [
    ...removed.map(({ row }) => ({
      id: row.id,
      mediaToken: row.media_token,
      sourceKey: sourceKeyOf(row),
      otherSourceKeys: otherSources.get(row.id) ?? [],
      isKept: kept.has(row.id),
    })),
    ...erased,
  ];
}

/**
 * Permanently deletes the given videos that are in the trash, with an audit entry for each. After
 * the commit, pass the result to `deleteVideoFiles`.
 */
export async function eraseTrashed(trx: Trx, ids: string[], actor: Actor): Promise<RemovedVideo[]> {
  const erased = await deleteRemoved(trx, { ids });
  await recordAudits(
    trx,
    actor,
    erased.map(({ id, title }) => ({
      action: "video.erased",
      entity: "video",
      entityId: id,
      before: { title },
    })),
  );
  return erased;
}
