import type { BulkAction } from "#contract/videos/admin-videos.ts";
import type { ChangeTag } from "#server/db/change-tags.ts";
import type { Trx } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Actor } from "#server/features/audit/audit.service.ts";
import {
  addLabelsToVideos,
  removeLabelsFromVideos,
  setEmbeddingOfVideos,
  setPremiumOfVideos,
} from "#server/features/videos/edit-videos.ts";
import {
  publishVideos,
  unpublishVideos,
} from "#server/features/videos/publishing/publish-videos.ts";
import { reprocessVideos } from "#server/features/videos/replacements/reprocessing.service.ts";
import type { RemovedVideo } from "#server/features/videos/files/stored-files.service.ts";
import { removeVideos } from "#server/features/videos/trash/remove-videos.ts";
import { withVideoTags } from "#server/features/videos/video-tags.ts";

export interface ActionResult {
  /** Videos that the action changed. */
  changed: number;
  /** Removed videos. Their files are deleted after the commit. */
  removed: RemovedVideo[];
  tags: ReadonlySet<ChangeTag>;
}

/**
 * Applies an action to videos and writes an audit entry for each one that changes.
 * @param labelIds ids of the labels in a label action.
 */
export async function applyAction(
  trx: Trx,
  action: BulkAction,
  ids: string[],
  { labelIds, at, actor, queue }: { labelIds: string[]; at: Date; actor: Actor; queue: JobQueue },
): Promise<ActionResult> {
  if (action.kind === "delete") {
    const { result: removed, tags } = await withVideoTags(trx, ids, () =>
      removeVideos(trx, ids, actor, { clips: action.clips }),
    );
    return { changed: removed.length, removed, tags };
  }
  const change = (): Promise<number> => {
    switch (action.kind) {
      case "publish":
        return publishVideos(trx, ids, { at, actor });
      case "unpublish":
        return unpublishVideos(trx, ids, actor);
      case "reprocess":
        return reprocessVideos(trx, queue, ids, actor);
      case "set_premium":
        return setPremiumOfVideos(trx, ids, { isPremium: action.isPremium, actor });
      case "set_embedding":
        return setEmbeddingOfVideos(trx, ids, { embedding: action.embedding, actor });
      case "add_labels":
      case "remove_labels": {
        const labels = { kind: action.label, ids: labelIds, names: action.names };
        return action.kind === "add_labels"
          ? addLabelsToVideos(trx, ids, { labels, actor })
          : removeLabelsFromVideos(trx, ids, { labels, actor });
      }
      default:
        return action satisfies never;
    }
  };
  const { result, tags } = await withVideoTags(trx, ids, change);
  return { changed: result, removed: [], tags };
}
