import type { VideoReplacement } from "#contract/videos/admin-videos.ts";
import type { Video } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import type { BeforeCut } from "#server/db/before-cut.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isOwnThumbnail } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import {
  deleteWatchedBins,
  listTimedComments,
  lockClipPassages,
  updateClipPassages,
  updateComments,
} from "./cuts.repository.ts";
import { followCut } from "./follow-cut.ts";
import type { NewVideo } from "../new-videos.service.ts";
import { enqueueProcessing } from "../processing-state/enqueue-processing.ts";
import type { ProcessedVideo } from "../processing-state/processed-video.ts";
import { withVideoTags } from "../video-tags.ts";
import {
  findOpenReplacement,
  lockExistingVideo,
  lockVideoRow,
  type ReplacementRow,
  type VideoRow,
} from "../videos.repository.ts";
import type { VideosService } from "../videos.service.ts";
import * as repository from "./replacements.repository.ts";

/**
 * Checks that no change of a video's files is pending. The caller must have locked the video's row.
 * @returns the last failed change, which the next attempt replaces.
 * @throws AppError conflict.
 */
export async function checkUnchanged(trx: Trx, row: VideoRow) {
  if (row.status === "processing" || (row.progress !== null && row.progress < 1)) {
    throw new AppError("conflict", "This video is being processed. Try again when it's done.");
  }
  const open = await findOpenReplacement(trx, row.id);
  if (open !== null && open.status !== "failed") {
    throw new AppError(
      "conflict",
      open.is_renewal
        ? "This video is being reprocessed. Wait until it's done, or cancel it first."
        : "A new file for this video is already being processed.",
    );
  }
  return open;
}

/** New file of a video that has been stored and probed. */
type NewFile = Pick<
  NewVideo,
  "id" | "durationS" | "width" | "height" | "mediaNotices" | "source"
> & {
  actor: Actor;
};

/** Time for which cached pages and running players may still request the old files. */
const retentionMs = 24 * 3600 * 1000;

/**
 * Replaces the files of videos. The old file plays until the new one is complete. Then all files
 * change at once. The address, counts, comments and captions stay.
 */
export function createReplacementsService(deps: {
  db: Db;
  clock: Clock;
  queue: JobQueue;
  storage: Storage;
  videos: VideosService;
  changed: PublishChanges;
}) {
  const { db, clock, queue, storage, videos, changed } = deps;

  return {
    /** @throws AppError not_found; conflict while the video or a new file is being processed. */
    async check(videoId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await checkUnchanged(trx, await lockExistingVideo(trx, videoId));
      });
    },

    /** Queues the processing of a new file. @throws AppError like `check`. */
    async begin(videoId: string, { id, source, actor, ...facts }: NewFile): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await lockExistingVideo(trx, videoId);
        const failed = await checkUnchanged(trx, row);
        if (failed !== null) await repository.deleteReplacement(trx, failed.id);
        await repository.insertReplacement(trx, {
          id,
          video_id: videoId,
          duration_s: facts.durationS,
          width: facts.width,
          height: facts.height,
          media_notices: facts.mediaNotices ?? [],
          progress: 0,
          source_key: source.key,
          source_bytes: source.sizeBytes,
          source_sha256: source.sha256,
          uploaded_by: actor.user.id,
          uploaded_by_email: actor.user.email,
        });
        await recordAudit(trx, actor, {
          action: "video.file-uploaded",
          entity: "video",
          entityId: videoId,
          before: { title: row.title },
          after: { sizeBytes: source.sizeBytes },
        });
        await enqueueProcessing(queue, trx, "video.publish", id);
      });
      await changed([videoTag(videoId)]);
    },

    /** Returns the video for which an upload is or was the new file. */
    async findVideo(uploadId: string): Promise<Video | null> {
      const videoId = await repository.findReplacedVideo(db, uploadId);
      return videoId === null ? null : videos.get(videoId, { isAdmin: true });
    },

    /** Returns the new file if it is being processed or has failed. */
    async find(videoId: string): Promise<VideoReplacement | null> {
      const row = await findOpenReplacement(db, videoId);
      if (row === null) return null;
      return {
        isRenewal: row.is_renewal,
        state: row.status === "failed" ? "failed" : "processing",
        progress: row.progress ?? 0,
        failureReason: row.failure_reason,
        uploadedAt: row.created_at.toISOString(),
        uploadedBy: row.uploaded_by_email,
      };
    },

    /** Cancels the new file or the reprocessing. @throws AppError not_found. */
    async cancel(idOrSlug: string, actor: Actor): Promise<Video> {
      const videoId = await videos.getId(idOrSlug, { isAdmin: true });
      const sourceKey = await db.transaction().execute(async (trx) => {
        const video = await lockVideoRow(trx, videoId);
        const open = await findOpenReplacement(trx, videoId);
        if (video === null || open === null) {
          throw new AppError("not_found", "New file not found");
        }
        await repository.deleteReplacement(trx, open.id);
        await recordAudit(trx, actor, {
          action: open.is_renewal ? "video.reprocess-cancelled" : "video.file-cancelled",
          entity: "video",
          entityId: videoId,
          before: { title: video.title },
        });
        return open.source_key;
      });
      await changed([videoTag(videoId)]);
      // If this fails, the sweep deletes the source and the new renditions.
      if (sourceKey !== null) await storage.delete(sourceKey).catch(() => undefined);
      return videos.get(videoId, { isAdmin: true });
    },

    /** Switches to the complete new file. */
    complete: (next: ProcessedVideo, made: CompleteFiles): Promise<void> =>
      completeReplacement(deps, next, made),
    /** Returns the video that plays the files of a replacement; null before the switch. */
    findSwitched: (id: string): Promise<{ videoId: string; isReprocessing: boolean } | null> =>
      repository.findSwitched(db, id),
    /** Lets the sweep delete old files. */
    forgetOld: (): Promise<void> =>
      repository.deleteSwitched(db, new Date(clock.now() - retentionMs)),
  };
}

export type ReplacementsService = ReturnType<typeof createReplacementsService>;

/** Captions after a new cut, and what undoing it restores. */
export interface CutCaptions {
  captions: StoredCaption[];
  before: BeforeCut["captions"];
}

/** Master playlist written for a new ladder. */
export interface WrittenMaster {
  hlsKey: string | null;
  /** Captions that the video had. If they have changed since, all of this is outdated. */
  captions: readonly StoredCaption[];
  cut: CutCaptions | null;
}

/** Writes a ladder's master playlist with a video's captions, which follow a new cut. */
type WriteMaster = (hlsKey: string | null) => Promise<WrittenMaster>;

/** Complete files that replace those of a video. */
interface CompleteFiles {
  storedBytes: number;
  master: WriteMaster;
}

/** Maximum number of attempts to switch while captions change. */
const maxAttempts = 5;

interface SwitchDeps {
  db: Db;
  clock: Clock;
  changed: PublishChanges;
}

/** Switches a video to its complete new file. */
async function completeReplacement(
  deps: SwitchDeps,
  next: ProcessedVideo,
  made: CompleteFiles,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    // Once the switch is committed, the jobs that follow must still be queued.
    const hasSwitched = await settleCommit(() => exchange(deps, next, made), {
      isCommitted: async () => (await repository.findSwitched(deps.db, next.id)) !== null,
    });
    if (hasSwitched !== false) return;
  }
  throw new Error(`The captions of ${next.videoId} keep changing`);
}

/** @returns false if the captions changed in the meantime. */
async function exchange(
  { db, clock, changed }: SwitchDeps,
  { id, videoId, files }: ProcessedVideo,
  made: CompleteFiles,
): Promise<boolean> {
  const written = await made.master(files.hls_master);
  const { result, tags } = await db.transaction().execute((trx) =>
    withVideoTags(trx, [videoId], async () => {
      const video = await lockVideoRow(trx, videoId);
      const next = await findOpenReplacement(trx, videoId);
      // The video was removed, or the new file cancelled.
      if (video === null || next?.id !== id) return true;
      if (JSON.stringify(written.captions) !== JSON.stringify(video.captions)) return false;
      const { thumbnail_key: thumbnail, poster_key: poster } = video;
      await repository.exchangeFiles(
        trx,
        { video, next },
        {
          at: clock.date(),
          stored_bytes: made.storedBytes,
          hls_key: written.hlsKey,
          ...(await followReplacement(trx, video, next, {
            at: clock.date(),
            captions: written.cut,
          })),
          // A picture that an admin has chosen stays.
          ...(isOwnThumbnail(thumbnail) ? { thumbnail_key: thumbnail } : {}),
          ...(isOwnThumbnail(poster) ? { poster_key: poster } : {}),
        },
      );
      // The log already contains the admin's request.
      if (!next.is_renewal) await recordExchange(trx, video, next);
      return true;
    }),
  );
  if (result) await changed(tags);
  return result;
}

/**
 * Lets the texts and times of a video follow a new cut.
 * @returns columns of the video. Without a new cut, the captions and texts stay, and a new file has
 * none.
 */
async function followReplacement(
  trx: Trx,
  video: VideoRow,
  next: ReplacementRow,
  { at, captions }: { at: Date; captions: WrittenMaster["cut"] },
) {
  if (!next.changes_cut || captions === null) {
    // Edits that are open, such as a cut, have times of the former file.
    return next.is_renewal ? {} : { cut_at: null, before_cut: null, version: video.version + 1 };
  }
  const comments = await listTimedComments(trx, video.id);
  const clips = await lockClipPassages(trx, video.id);
  const followed = followCut(video, comments, next.kept_parts, clips);
  await updateComments(trx, followed.comments);
  await deleteWatchedBins(trx, video.id);
  await updateClipPassages(trx, followed.clips);
  const before: BeforeCut = { ...followed.before, captions: captions.before };
  const isCut = next.kept_parts !== null;
  return {
    ...followed.values,
    captions: JSON.stringify(captions.captions),
    timing_since: at,
    cut_at: isCut ? (video.cut_at ?? at) : null,
    before_cut: isCut ? JSON.stringify(before) : null,
    version: video.version + 1,
  };
}

async function recordExchange(trx: Trx, video: VideoRow, next: ReplacementRow): Promise<void> {
  const actor: Actor = {
    user: { id: next.uploaded_by, email: next.uploaded_by_email },
    requestId: "replacement",
  };
  const about = (row: Pick<VideoRow, "duration_s" | "source_bytes">) => ({
    durationS: row.duration_s,
    sizeBytes: row.source_bytes,
  });
  await recordAudit(trx, actor, {
    action: "video.file-replaced",
    entity: "video",
    entityId: video.id,
    before: { title: video.title, ...about(video) },
    after: about(next),
  });
}
