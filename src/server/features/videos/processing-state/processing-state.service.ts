import type { Chapter, Loudness, VideoSound } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { listQueueFigures } from "#server/jobs/queue-figures.repository.ts";
import type { JobQueue, JobName } from "#server/jobs/queue.ts";
import type { MediaRole } from "#server/media/pipeline/pipeline-context.ts";
import { fileColumns, hasFileColumn } from "../files/video-files.ts";
import { listVideoTags } from "../videos.repository.ts";
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
  saveClipSource,
  updateProcessed,
  updateProgress,
  type ClipSource,
} from "./processing-state.repository.ts";

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
interface Queued {
  id: string;
  isReprocessing: boolean;
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

/**
 * Processing state of each video: `processing` until it is playable, then `ready`, or `failed`.
 * Reports every change that visitors see.
 */
export function createProcessingStateService(deps: {
  db: Db;
  queue: JobQueue;
  changed: PublishChanges;
}) {
  const { db, queue, changed } = deps;

  async function update(id: string, values: Parameters<typeof updateProcessed>[2]): Promise<void> {
    await changed([videoTag(await updateProcessed(db, id, values))]);
  }

  return {
    find: (id: string): Promise<ProcessedVideo | null> => findProcessed(db, id),

    /** Sets a video to `ready` once its first rendition is stored. */
    async savePlayable(
      id: string,
      files: StoredFile[],
      {
        durationS,
        width,
        height,
        ...facts
      }: {
        durationS: number;
        width: number;
        height: number;
        notices: string[];
        chapters: Chapter[];
        gainDb: number;
      },
    ): Promise<void> {
      const videoId = await updateProcessed(db, id, {
        ...keysOf(files),
        status: "ready",
        duration_s: durationS,
        width,
        height,
        media_notices: facts.notices,
        needs_review: false,
        // A file without chapters leaves those that came from another site.
        ...(facts.chapters.length === 0 ? {} : { chapters: JSON.stringify(facts.chapters) }),
        file_gain_db: facts.gainDb,
        failures: 0,
        failure_reason: null,
      });
      // A published video appears in lists from now on.
      await changed(await listVideoTags(db, [videoId]));
    },

    saveLoudness: (id: string, loudness: Loudness): Promise<void> =>
      update(id, { loudness: JSON.stringify(loudness) }),

    /** Stores the CRF shared by all renditions of the ladder. */
    async saveQuality(id: string, crf: number): Promise<void> {
      await updateProcessed(db, id, { ladder_crf: crf });
    },

    /** @param change size, notices and audio gains, if the files change them. */
    async saveFiles(
      id: string,
      files: StoredFile[],
      {
        size,
        addedNotices = [],
        skipped = [],
        ...change
      }: {
        size?: { width: number; height: number } | undefined;
        addedNotices?: string[];
        /** Kinds of files that are left out for good. */
        skipped?: string[];
        fileGainDb?: number | undefined;
        ladderGainDb?: number | undefined;
        sounds?: VideoSound[];
        fingerprint?: Buffer;
      } = {},
    ): Promise<void> {
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

    /** Stores the source of a clip. From now on, it is processed like an upload. */
    saveClipSource: (id: string, source: ClipSource): Promise<void> =>
      saveClipSource(db, id, source).then(() => changed([videoTag(id)])),

    /**
     * Queues the encode of the first files a video needs.
     * @param plan processor time, consecutive external failures, and whether the video already
     * plays.
     */
    queueEncode: (
      { id, isReprocessing }: Queued,
      { estimateS, isPlayable, ...waiting }: { estimateS: number; isPlayable: boolean } & Waiting,
    ): Promise<void> =>
      enqueueProcessing(queue, db, encodeJobOf(estimateS), id, {
        estimateS,
        isPlayable,
        isReprocessing,
        ...(waiting.waits === 0 ? {} : waiting),
      }),

    /** Queues the job that completes a playable video. */
    queueFinish: ({ id, isReprocessing }: Queued, estimateS: number): Promise<void> =>
      enqueueProcessing(queue, db, "video.finish", id, { estimateS, isReprocessing }),

    /** Queues the renditions above 1080 lines for a video with a stored ladder. */
    queueLarge: ({ id, isReprocessing }: Queued, estimateS: number): Promise<void> =>
      enqueueProcessing(queue, db, "video.large", id, { estimateS, isReprocessing }),

    /** Writes the progress from 0 to 1. Ignores late reports after the end of processing. */
    reportProgress: (id: string, progress: number): Promise<void> =>
      updateProgress(db, id, progress),

    /**
     * Queues another attempt after `startAfterS`. Shows a new `reason` until an attempt succeeds.
     */
    async wait(
      video: ProcessedVideo,
      {
        startAfterS,
        failures,
        reason,
        ...waiting
      }: Waiting & { startAfterS: number; failures: number; reason?: string },
    ): Promise<void> {
      await enqueueProcessing(queue, db, nextProcessingJob(video.status), video.id, {
        ...waiting,
        startAfterS,
        isReprocessing: video.isReprocessing,
      });
      const values = { failures, ...(reason === undefined ? {} : { failure_reason: reason }) };
      await update(video.id, values);
    },

    /** Ends processing. Only new files and videos without any rendition become `failed`. */
    async giveUp(video: ProcessedVideo, failures: number, reason: string): Promise<void> {
      const isOver = video.status === "processing" || isNewFile(video);
      await update(video.id, {
        failures,
        progress: null,
        failure_reason: reason,
        ...(isOver ? { status: "failed" } : {}),
        ...(isNewFile(video) ? withoutFiles : {}),
      });
    },

    /** Ends processing. `storedBytes` is the size of all files except the original. */
    async finish(id: string, storedBytes: number): Promise<void> {
      await update(id, {
        stored_bytes: storedBytes,
        failures: 0,
        failure_reason: null,
        progress: 1,
      });
    },

    /** Records the size of all files except the original of a complete video. */
    saveStoredBytes: (id: string, storedBytes: number): Promise<void> =>
      update(id, { stored_bytes: storedBytes }),

    /** Returns whether any worker runs a processing job other than the calling one. */
    async hasOtherWork(): Promise<boolean> {
      const figures = await listProcessingFigures(db);
      return figures.reduce((sum, { active }) => sum + active, 0) > 1;
    },

    /**
     * Returns whether a video is or could be processed now. Videos waiting for their next attempt
     * don't count.
     */
    async isBusy(): Promise<boolean> {
      if ((await listUnfinished(db)).length === 0) return false;
      const figures = await listProcessingFigures(db);
      return figures.some(({ waiting, active }) => waiting + active > 0);
    },

    /** Queues a job for every unfinished video without one. */
    async requeueUnfinished(): Promise<void> {
      for (const { id, status, isReprocessing } of await listUnfinished(db)) {
        const isInProgress = await queue.hasUnfinished(processingJobs, { videoId: id });
        if (!isInProgress) {
          await enqueueProcessing(queue, db, nextProcessingJob(status), id, { isReprocessing });
        }
      }
    },
  };
}

export type ProcessingStateService = ReturnType<typeof createProcessingStateService>;
