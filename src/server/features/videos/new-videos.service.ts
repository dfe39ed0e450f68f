import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import type { Chapter, Visibility } from "#contract/videos/videos.ts";
import type { Insertable } from "kysely";
import type { VideosTable } from "#server/db/schema.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { ownPosterKey } from "#server/storage/media-keys.ts";
import { slugCandidates } from "#server/lib/names.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { enqueueProcessing } from "./processing-state/enqueue-processing.ts";
import { insertVideo, slugTaken } from "./videos.repository.ts";

/** Part of a video that uploads don't have, because it happened on another site. */
interface VideoPast {
  isPublished: boolean;
  visibility: Visibility;
  isSensitive: boolean;
  /** Publication time on the other site. Drafts get it too, for when they are published. */
  publishedAt: Date | null;
  /** Applies if the video's file has no chapters. */
  chapters: Chapter[];
  /** Counts that visitors see, and that rankings leave out. */
  views: number;
  likes: number;
}

/** Video whose files are already stored. */
export interface NewVideo {
  id: string;
  mediaToken: string;
  /** By default, a free one is made from the title. */
  slug?: string | undefined;
  title: string;
  description: string | null;
  isPremium: boolean;
  labels: Record<LabelKind, string[]>;
  durationS: number;
  width: number;
  height: number;
  /** Notices from the probe about parts of the source that can't be played unchanged. */
  mediaNotices?: string[];
  source: { key: string; sizeBytes: number; sha256: Buffer | null };
  thumbnailKey: string | null;
  past?: VideoPast;
  /** For a draft of parts of another video: that video, and columns that follow from it. */
  cut?: { from: { id: string; title: string }; values: Partial<Insertable<VideosTable>> };
  /** User who uploads. Null for the demonstration catalogue. */
  actor: Actor | null;
}

export function createNewVideosService(deps: { db: Db; labels: LabelsService; queue: JobQueue }) {
  const { db, labels, queue } = deps;
  return {
    /**
     * Adds a draft, or a video with a past, and queues its processing.
     * @throws AppError conflict if its slug is taken.
     */
    async create(video: NewVideo): Promise<void> {
      const { id, slug, title, source, actor } = video;
      await db.transaction().execute(async (trx) => {
        if (slug === undefined) await insertWithFreeSlug(trx, title, rowOf(video));
        else if (!(await insertVideo(trx, { ...rowOf(video), slug }))) throw slugTaken(slug);
        for (const kind of labelKinds) {
          await labels.replaceLabels(trx, kind, id, video.labels[kind]);
        }
        if (actor !== null) {
          await recordAudit(trx, actor, {
            action: video.cut === undefined ? "video.uploaded" : "video.cut-saved",
            entity: "video",
            entityId: id,
            after: {
              title,
              ...(video.cut === undefined ? {} : { from: video.cut.from }),
              sizeBytes: source.sizeBytes,
              ...(video.past?.isPublished === true ? { isPublished: true } : {}),
            },
          });
        }
        await enqueueProcessing(queue, trx, "video.publish", id);
      });
    },
  };
}

export type NewVideosService = ReturnType<typeof createNewVideosService>;

/** Inserts a video with the first free address for its title. */
export async function insertWithFreeSlug(
  trx: Trx,
  title: string,
  row: Omit<Insertable<VideosTable>, "slug">,
): Promise<void> {
  for (const slug of slugCandidates(title, "video")) {
    if (await insertVideo(trx, { ...row, slug })) return;
  }
}

const rowOf = (video: NewVideo): Omit<Insertable<VideosTable>, "slug"> => ({
  id: video.id,
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
  ...video.cut?.values,
  ...(video.past === undefined ? {} : columnsOf(video.past, video.thumbnailKey)),
});

const columnsOf = (past: VideoPast, thumbnailKey: string | null) => ({
  is_published: past.isPublished,
  visibility: past.visibility,
  is_sensitive: past.isSensitive,
  published_at: past.publishedAt ?? (past.isPublished ? new Date() : null),
  // Keeps the date of the other site when the video is listed.
  was_listed: past.publishedAt !== null,
  chapters: JSON.stringify(past.chapters),
  views: past.views,
  imported_views: past.views,
  likes: past.likes,
  unranked_likes: past.likes,
  // An editor chose this picture, so it is also what the player shows.
  poster_key: thumbnailKey === null ? null : ownPosterKey(thumbnailKey),
});
