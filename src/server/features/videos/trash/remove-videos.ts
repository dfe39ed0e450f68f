import type { ClipFate } from "#contract/videos/clips.ts";
import type { Trx } from "#server/db/connection.ts";
import { recordAudits, type Actor } from "#server/features/audit/audit.service.ts";
import { hydrateVideos } from "../query/video-list.repository.ts";
import { presentVideo } from "../query/videos.presenter.ts";
import type { RemovedVideo } from "../files/stored-files.service.ts";
import { sourceKeyOf } from "../files/video-files.ts";
import { deleteVideos, lockVideosToRemove } from "../videos.repository.ts";
import * as repository from "./trash.repository.ts";

interface Removal {
  /**
   * What to do with the videos' clips when the videos are deleted for good. By default, the clips are
   * unpublished, so that somebody decides about each one.
   */
  clips?: ClipFate | undefined;
  /**
   * True to bypass the trash and to delete the videos already in it, for videos that must not come
   * back. Their clips are deleted, too.
   */
  isFinal?: boolean;
}

/**
 * Moves the given videos to the trash and writes an audit entry for each. Ignores unknown ids. After
 * the commit, pass the result to `deleteVideoFiles`.
 * @param actor null for the deletion of clips after the retention time.
 */
export async function removeVideos(
  trx: Trx,
  ids: string[],
  actor: Actor | null,
  { clips, isFinal = false }: Removal = {},
): Promise<RemovedVideo[]> {
  await lockVideosToRemove(trx, ids);
  const removed = await hydrateVideos(trx, ids);
  const otherSources = await repository.listOtherSources(trx, ids);
  const kept = new Set(
    isFinal
      ? []
      : await repository.keepInTrash(trx, ids, { removedBy: actor?.user.email ?? "", clips }),
  );
  const fate = isFinal ? "remove" : clips;
  const gone = removed.map(({ row }) => row.id).filter((id) => !kept.has(id));
  const ofClips = await settleClips(trx, gone, fate, actor);
  await deleteVideos(trx, ids);
  if (actor !== null) {
    await recordAudits(
      trx,
      actor,
      removed.map((video) => ({
        action: "video.deleted",
        entity: "video",
        entityId: video.row.id,
        before: presentVideo(video, { isAdmin: true }),
        ...(clips === undefined ? {} : { after: { clips } }),
      })),
    );
  }
  const erased = isFinal ? await eraseTrashed(trx, ids, actor, "remove") : [];
  return [
    ...removed.map(({ row }) => ({
      id: row.id,
      mediaToken: row.media_token,
      sourceKey: sourceKeyOf(row),
      otherSourceKeys: otherSources.get(row.id) ?? [],
      isKept: kept.has(row.id),
    })),
    ...ofClips,
    ...erased,
  ];
}

/**
 * Permanently deletes the given videos that are in the trash, with an audit entry for each. After
 * the commit, pass the result to `deleteVideoFiles`.
 * @param actor null for the end of the retention time, which writes no entries.
 * @param clips what becomes of their clips, by default what was chosen when they were removed.
 */
export async function eraseTrashed(
  trx: Trx,
  ids: string[],
  actor: Actor | null,
  clips?: ClipFate,
): Promise<RemovedVideo[]> {
  const ofClips: RemovedVideo[] = [];
  const choices = await repository.lockClipChoices(trx, ids);
  for (const [fate, chosen] of Map.groupBy(choices, (each) => clips ?? each.clips ?? undefined)) {
    const chosenIds = chosen.map(({ id }) => id);
    ofClips.push(...(await settleClips(trx, chosenIds, fate, actor)));
  }
  const erased = await repository.deleteRemoved(trx, ids);
  if (actor !== null) {
    await recordAudits(
      trx,
      actor,
      erased.map(({ id, title }) => ({
        action: "video.erased",
        entity: "video",
        entityId: id,
        before: { title },
        ...(clips === undefined ? {} : { after: { clips } }),
      })),
    );
  }
  return [...erased, ...ofClips];
}

/** Deletes the clips of videos that are about to be deleted for good, or makes them independent. */
async function settleClips(
  trx: Trx,
  longIds: string[],
  fate: ClipFate | undefined,
  actor: Actor | null,
): Promise<RemovedVideo[]> {
  if (longIds.length === 0) return [];
  if (fate !== "remove") {
    await repository.detachClips(trx, longIds, { staysPublished: fate === "keep" });
    return [];
  }
  const clips = await repository.listClips(trx, longIds);
  return [
    ...(clips.live.length === 0
      ? []
      : await removeVideos(trx, clips.live, actor, { isFinal: true })),
    ...(clips.trashed.length === 0 ? [] : await eraseTrashed(trx, clips.trashed, actor)),
  ];
}
