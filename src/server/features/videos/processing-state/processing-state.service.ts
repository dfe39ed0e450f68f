import type { Chapter, Loudness, VideoSound } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { isVideoGone } from "#server/db/file-references.ts";
import type { JobName } from "#server/jobs/job-definition.ts";
import { listQueueFigures } from "#server/jobs/queue-figures.repository.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { MediaRole } from "#server/media/pipeline/media-file.ts";
import {
  encodeJobOf,
  enqueueProcessing,
  nextProcessingJob,
  processingJobs,
} from "./enqueue-processing.ts";
import { isNewFile, type ProcessedVideo } from "./processed-video.ts";
import {
  addValues,
  findProcessed,
  listUnfinished,
  updateProcessed,
  updateProgress,
} from "./processing-state.repository.ts";
import { fileColumns, hasFileColumn } from "../files/video-files.ts";
import { listVideoTags } from "../video-tags.repository.ts";

export interface StoredFile {
  role: MediaRole;
  key: string;
}

/** How often and how long a video has been waiting for its next attempt. */
interface Waiting {
  /** Number of consecutive attempts that ended without a result. */
  waits: number;
  waitingSince: string | null;
  /** True if the file may be the cause. The next attempt then needs a moment without other work. */
  isSuspect?: boolean;
  /** Failure of an attempt during which no other video was processed. If it is repeated, the file is the cause. */
  lastProblem?: string | null;
}

/** Video for which a job is queued. */
type Queued = Pick<ProcessedVideo, "id" | "isRenewal">;

/**
 * Processing state of each video: `processing` until it is playable, then `ready`, or `failed`.
 * Reports every change that visitors see.
 */
export interface ProcessingStateService {
  find(id: string): Promise<ProcessedVideo | null>;
  /** Sets a video to `ready` once its first rendition is stored. */
  savePlayable(
    id: string,
    files: StoredFile[],
    facts: {
      durationS: number;
      width: number;
      height: number;
      notices: string[];
      chapters: Chapter[];
      gainDb: number;
    },
  ): Promise<void>;
  saveLoudness(id: string, loudness: Loudness): Promise<void>;
  /** Stores the CRF shared by all renditions of the ladder. */
  saveQuality(id: string, crf: number): Promise<void>;
  /** @param change size, notices and audio gains, if the files change them. */
  saveFiles(
    id: string,
    files: StoredFile[],
    change?: {
      size?: { width: number; height: number } | undefined;
      addedNotices?: string[];
      /** Kinds of files that are left out for good. */
      skipped?: string[];
      fileGainDb?: number | undefined;
      ladderGainDb?: number | undefined;
      sounds?: VideoSound[];
      fingerprint?: Buffer;
    },
  ): Promise<void>;
  /**
   * Queues the encode of the first files a video needs.
   * @param plan processor time, consecutive external failures, and whether the video already plays.
   */
  queueEncode(
    video: Queued,
    plan: { estimateS: number; isPlayable: boolean } & Waiting,
  ): Promise<void>;
  /** Queues the job that completes a playable video. */
  queueFinish(video: Queued, estimateS: number): Promise<void>;
  /** Queues the renditions above 1080 lines for a video with a stored ladder. */
  queueLarge(video: Queued, estimateS: number): Promise<void>;
  /** Writes the progress from 0 to 1. Ignores late reports after the end of processing. */
  reportProgress(id: string, progress: number): Promise<void>;
  /** Queues another attempt after `startAfterS`. Shows a new `reason` until an attempt succeeds. */
  wait(
    video: ProcessedVideo,
    wait: Waiting & { startAfterS: number; failures: number; reason?: string },
  ): Promise<void>;
  /** Ends processing. Only new files and videos without any rendition become `failed`. */
  giveUp(video: ProcessedVideo, failures: number, reason: string): Promise<void>;
  /** Ends processing. `storedBytes` is the size of all files except the original. */
  finish(id: string, storedBytes: number): Promise<void>;
  /** Records the size of all files except the original of a complete video. */
  saveStoredBytes(id: string, storedBytes: number): Promise<void>;
  /** Returns whether any worker runs a processing job other than the calling one. */
  hasOtherWork(): Promise<boolean>;
  /**
   * Returns whether a video is or could be processed now. Videos waiting for their next attempt
   * don't count.
   */
  isBusy(): Promise<boolean>;
  /** Queues a job for every unfinished video without one. */
  requeueUnfinished(): Promise<void>;
  /** Returns whether a video was removed and isn't in the trash. */
  isGone(video: Pick<ProcessedVideo, "videoId" | "mediaToken">): Promise<boolean>;
}

/** Cleared columns. The sweep then deletes their files. */
const withoutFiles = {
  source_key: null,
  ...Object.fromEntries(Object.values(fileColumns).map((column) => [column, null])),
};

const keysOf = (files: StoredFile[]) =>
  Object.fromEntries(
    files.flatMap(({ role, key }) => (hasFileColumn(role) ? [[fileColumns[role], key]] : [])),
  );

async function listProcessingFigures(db: Db) {
  const names: readonly JobName[] = processingJobs;
  return (await listQueueFigures(db)).filter(({ name }) => names.includes(name));
}

export function createProcessingStateService(deps: {
  db: Db;
  queue: JobQueue;
  changed: PublishChanges;
}): ProcessingStateService {
  const { db, queue, changed } = deps;

  async function update(id: string, values: Parameters<typeof updateProcessed>[2]): Promise<void> {
    await changed([videoTag(await updateProcessed(db, id, values))]);
  }

  return {
    find: (id) => findProcessed(db, id),

    async savePlayable(id, files, { durationS, width, height, ...facts }) {
      const videoId = await updateProcessed(db, id, {
        ...keysOf(files),
        status: "ready",
        duration_s: durationS,
        width,
        height,
        media_notices: facts.notices,
        needs_review: false,
        chapters: JSON.stringify(facts.chapters),
        file_gain_db: facts.gainDb,
        failures: 0,
        failure_reason: null,
      });
      // A published video appears in lists from now on.
      await changed(await listVideoTags(db, [videoId]));
    },

    saveLoudness: (id, loudness) => update(id, { loudness: JSON.stringify(loudness) }),

    async saveQuality(id, crf) {
      await updateProcessed(db, id, { ladder_crf: crf });
    },

    async saveFiles(id, files, { size, addedNotices = [], skipped = [], ...change } = {}) {
      const { fingerprint, ...sound } = change;
      await addValues(db, id, "media_notices", addedNotices);
      await addValues(db, id, "skipped_files", skipped);
      const values = {
        ...keysOf(files),
        ...size,
        fingerprint,
        file_gain_db: sound.fileGainDb,
        ladder_gain_db: sound.ladderGainDb,
        ...(sound.sounds === undefined ? {} : { sounds: JSON.stringify(sound.sounds) }),
      };
      // If there are only notices, no column has to be set.
      if (Object.values(values).some((value) => value !== undefined)) await update(id, values);
    },

    queueEncode: ({ id, isRenewal }, { estimateS, isPlayable, ...waiting }) =>
      enqueueProcessing(queue, db, encodeJobOf(estimateS), id, {
        estimateS,
        isPlayable,
        isRenewal,
        ...(waiting.waits === 0 ? {} : waiting),
      }),

    queueFinish: ({ id, isRenewal }, estimateS) =>
      enqueueProcessing(queue, db, "video.finish", id, { estimateS, isRenewal }),

    queueLarge: ({ id, isRenewal }, estimateS) =>
      enqueueProcessing(queue, db, "video.large", id, { estimateS, isRenewal }),

    reportProgress: (id, progress) => updateProgress(db, id, progress),

    async wait(video, { startAfterS, failures, reason, ...waiting }) {
      await enqueueProcessing(queue, db, nextProcessingJob(video.status), video.id, {
        ...waiting,
        startAfterS,
        isRenewal: video.isRenewal,
      });
      const values = { failures, ...(reason === undefined ? {} : { failure_reason: reason }) };
      await update(video.id, values);
    },

    async giveUp(video, failures, reason) {
      const isOver = video.status === "processing" || isNewFile(video);
      await update(video.id, {
        failures,
        progress: null,
        failure_reason: reason,
        ...(isOver ? { status: "failed" } : {}),
        ...(isNewFile(video) ? withoutFiles : {}),
      });
    },

    async finish(id, storedBytes) {
      await update(id, {
        stored_bytes: storedBytes,
        failures: 0,
        failure_reason: null,
        progress: 1,
      });
    },

    saveStoredBytes: (id, storedBytes) => update(id, { stored_bytes: storedBytes }),

    async hasOtherWork() {
      const figures = await listProcessingFigures(db);
      return figures.reduce((sum, { active }) => sum + active, 0) > 1;
    },

    async isBusy() {
      if ((await listUnfinished(db)).length === 0) return false;
      const figures = await listProcessingFigures(db);
      return figures.some(({ waiting, active }) => waiting + active > 0);
    },

    async requeueUnfinished() {
      for (const { id, status, isRenewal } of await listUnfinished(db)) {
        const isInProgress = await queue.hasUnfinished(processingJobs, { videoId: id });
        if (!isInProgress) {
          await enqueueProcessing(queue, db, nextProcessingJob(status), id, { isRenewal });
        }
      }
    },

    isGone: (video) => isVideoGone(db, video),
  };
}
