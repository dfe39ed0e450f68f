import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { slugCandidates } from "#server/lib/names.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { enqueueProcessing } from "./processing-state/enqueue-processing.ts";
import { insertVideo } from "./videos.repository.ts";

/** Video whose files are already stored. */
export interface NewVideo {
  id: string;
  mediaToken: string;
  title: string;
  description: string | null;
  isPremium: boolean;
  labels: Record<LabelKind, string[]>;
  durationS: number;
  width: number;
  height: number;
  /** Notices from the probe about parts of the source that can't be played unchanged. */
  mediaNotices?: string[];
  source: { key: string; sizeBytes: number; sha256: Buffer };
  thumbnailKey: string | null;
  /** User who uploads. Null for the demonstration catalogue. */
  actor: Actor | null;
}

export function createNewVideosService(deps: { db: Db; labels: LabelsService; queue: JobQueue }) {
  const { db, labels, queue } = deps;
  return {
    /** Adds a draft and queues its processing. */
    async create(video: NewVideo): Promise<void> {
      const { id, title, source, actor } = video;
      await db.transaction().execute(async (trx) => {
        await insertWithFreeSlug(trx, video);
        for (const kind of labelKinds) {
          await labels.replaceLabels(trx, kind, id, video.labels[kind]);
        }
        if (actor !== null) {
          await recordAudit(trx, actor, {
            action: "video.uploaded",
            entity: "video",
            entityId: id,
            after: { title, sizeBytes: source.sizeBytes },
          });
        }
        await enqueueProcessing(queue, trx, "video.publish", id);
      });
    },
  };
}

export type NewVideosService = ReturnType<typeof createNewVideosService>;

async function insertWithFreeSlug(trx: Trx, video: NewVideo): Promise<void> {
  for (const slug of slugCandidates(video.title, "video")) {
    const isInserted = await insertVideo(trx, {
      id: video.id,
      slug,
      title: video.title,
      description: video.description,
      is_premium: video.isPremium,
      duration_s: video.durationS,
      width: video.width,
      height: video.height,
      media_notices: video.mediaNotices ?? [],
      progress: 0,
      media_token: video.mediaToken,
      source_key: video.source.key,
      source_bytes: video.source.sizeBytes,
      source_sha256: video.source.sha256,
      thumbnail_key: video.thumbnailKey,
      uploaded_by: video.actor?.user.id ?? null,
    });
    if (isInserted) return;
  }
}
