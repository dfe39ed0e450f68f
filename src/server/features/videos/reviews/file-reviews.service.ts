import type { Updateable } from "kysely";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { retireFiles } from "#server/db/retired-files.ts";
import type { VideosTable } from "#server/db/schema.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isOwnThumbnail, videoFolder, videoFolderEntry } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { listAudit, recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { entriesInUse, filesOf } from "../files/video-files.ts";
import { enqueueProcessing } from "../processing-state/enqueue-processing.ts";
import { reprocessVideo } from "../replacements/reprocessing.service.ts";
import { withVideoTags } from "../video-tags.ts";
import { getVideoRow, lockVideoRow, updateVideo } from "../videos.repository.ts";
import * as repository from "./file-reviews.repository.ts";

/** Author of changes that the review makes. */
export const reviewerName = "Kinora";
const reviewer: Actor = { user: { id: null, email: reviewerName }, requestId: "file-review" };

const withdrawnReason =
  "An edit list hides parts of this file, but files of an older version contained them. They were deleted and are being made again.";

/** File that takes the place of a deleted original. */
interface StandIn {
  key: string;
  sizeBytes: number;
}

export type FileReviews = ReturnType<typeof createFileReviews>;

/** Changes the videos whose files older rules made and today's rules don't allow. */
export function createFileReviews(deps: {
  db: Db;
  queue: JobQueue;
  storage: Storage;
  changed: PublishChanges;
}) {
  const { db, queue, storage, changed } = deps;

  async function hasEditedCaptions(videoId: string): Promise<boolean> {
    const action = "video.captions-changed";
    return (await listAudit(db, { entityId: videoId, action, limit: 1 })).entries.length > 0;
  }

  return {
    /** Returns complete videos that need a review, in the order of their ids. */
    listDue: (page: { after: string | null; limit: number }) => repository.listDue(db, page),

    /** Ends the review of a video that stays as it is. */
    keep: (video: repository.DueVideo) => repository.clearReview(db, video),

    /**
     * Takes a video's files away from visitors in one transaction, and queues new ones like for an
     * upload. The files are retired at once: `deleteRetired` deletes them. Pictures and captions of
     * users stay.
     * @param standIn source to use, because the original no longer exists.
     */
    async withdraw(videoId: string, standIn: StandIn | null): Promise<void> {
      const video = await getVideoRow(db, videoId);
      const keepsCaptions = await hasEditedCaptions(videoId);
      const keys: string[] = [];
      for await (const { key } of storage.list(videoFolder(video.media_token))) keys.push(key);
      const { result: isWithdrawn, tags } = await db.transaction().execute((trx) =>
        withVideoTags(trx, [videoId], async () => {
          const row = await lockVideoRow(trx, videoId);
          if (row === null || !(await repository.isStillDue(trx, videoId))) return false;
          // Captions from the file are read again unless a user edited them.
          const captions = row.captions.filter(({ origin }) => keepsCaptions || origin !== "file");
          const own = (key: string | null) => (isOwnThumbnail(key) ? key : null);
          const ownPictures = {
            thumbnail_key: own(row.thumbnail_key),
            poster_key: own(row.poster_key),
          };
          await updateVideo(trx, videoId, {
            ...withoutMadeFiles,
            ...ownPictures,
            captions: JSON.stringify(captions),
            failure_reason: withdrawnReason,
            ...(standIn === null
              ? {}
              : {
                  source_key: standIn.key,
                  source_bytes: standIn.sizeBytes,
                  dropped_bytes: row.dropped_bytes ?? row.source_bytes,
                }),
          });
          await repository.deleteFormerFiles(trx, videoId);
          const inUse = entriesInUse(filesOf({ ...withoutMadeFiles, ...ownPictures }), captions);
          const former = keys.filter((key) => !inUse.has(videoFolderEntry(key)));
          await retireFiles(trx, former, new Date());
          await enqueueProcessing(queue, trx, "video.publish", videoId);
          await recordAudit(trx, reviewer, {
            action: "video.withdrawn",
            entity: "video",
            entityId: videoId,
            before: { title: row.title },
            after: { madeFrom: standIn === null ? "the original" : "the former copy" },
          });
          return true;
        }),
      );
      if (isWithdrawn) await changed(tags);
    },

    /** Deletes the copy of a deleted original that shows more than its ladder does. */
    async withdrawCopy(videoId: string, durationS: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await lockVideoRow(trx, videoId);
        if (row === null || !(await repository.isStillDue(trx, videoId))) return;
        // It was made from the ladder.
        const { progressive_small_key: small, ladder_gain_db: gainDb } = row;
        if (small === null || small === row.progressive_key) return;
        await updateVideo(trx, videoId, {
          progressive_key: small,
          file_gain_db: gainDb,
          duration_s: durationS,
          needs_review: false,
        });
        await repository.deleteFormerFiles(trx, videoId);
        await retireFiles(trx, [row.progressive_key], new Date());
        await recordAudit(trx, reviewer, {
          action: "video.withdrawn",
          entity: "video",
          entityId: videoId,
          before: { title: row.title, durationS: row.duration_s },
          after: { durationS, madeFrom: "the renditions" },
        });
      });
      await changed([videoTag(videoId)]);
    },

    /** Makes all files of a video again. The current ones play until then. */
    async reprocess(videoId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await lockVideoRow(trx, videoId);
        if (row === null || !(await repository.isStillDue(trx, videoId))) return;
        await updateVideo(trx, videoId, { needs_review: false });
        try {
          await reprocessVideo(trx, queue, row, reviewer, { isComplete: true });
        } catch (error) {
          // Its ladder is being made again, or the original is gone.
          if (!(error instanceof AppError && error.code === "conflict")) throw error;
        }
      });
      await changed([videoTag(videoId)]);
    },
  };
}

/** Columns of a video before its first file is made. */
const withoutMadeFiles = {
  progressive_key: null,
  progressive_small_key: null,
  hls_key: null,
  poster_key: null,
  thumbnail_key: null,
  preview_key: null,
  storyboard_key: null,
  audio_key: null,
  status: "processing" as const,
  progress: 0,
  failures: 0,
  needs_review: false,
  skipped_files: [],
  stored_bytes: 0,
  chapters: "[]",
  sounds: "[]",
  loudness: null,
  ladder_crf: null,
  fingerprint: null,
} satisfies Updateable<VideosTable>;
