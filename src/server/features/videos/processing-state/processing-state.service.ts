import type { Chapter, Loudness, VideoSound } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { isVideoGone } from "#server/db/file-references.ts";
import type { JobName } from "#server/jobs/job-definition.ts";
import { listQueueFigures } from "#server/jobs/queue-figures.repository.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { MediaRole } from "#server/media/pipeline/media-file.ts";
import { encodeJobOf, enqueueProcessing, nextJobOf, processingJobs } from "./enqueue-processing.ts";
import { isNewFile, type ProcessedVideo } from "./processed-video.ts";
import {
  addNotices,
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

/** How long a video has waited for its next attempt. */
interface Waiting {
  /** Attempts in a row that ended without a result. */
  waits: number;
  waitingSince: string | null;
  /** The file may be the cause: the next attempt needs a moment without other work. */
  isSuspect?: boolean;
}

/**
 * How far the processing of each video is: `processing` until playable, then `ready`, or `failed`.
 * Reports every change that visitors see.
 */
export interface ProcessingStateService {
  find(id: string): Promise<ProcessedVideo | null>;
  /** Makes a video `ready`: its first rendition is stored. */
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
  /** Stores the rate factor of the ladder, which all its renditions use. */
  saveQuality(id: string, crf: number): Promise<void>;
  /** @param change the size, notices and gains of sound, where the files change them. */
  saveFiles(
    id: string,
    files: StoredFile[],
    change?: {
      size?: { width: number; height: number } | undefined;
      addedNotices?: string[];
      fileGainDb?: number | undefined;
      ladderGainDb?: number | undefined;
      sounds?: VideoSound[];
      fingerprint?: Buffer;
    },
  ): Promise<void>;
  /**
   * Queues the encode of what a video needs first.
   * @param plan its processor time, how many attempts in a row something outside has ended, and
   *   whether it plays already.
   */
  queueEncode(
    id: string,
    plan: { estimateS: number; isPlayable: boolean } & Waiting,
  ): Promise<void>;
  /** Queues the job that does the rest for a playable video. */
  queueFinish(id: string, estimateS: number): Promise<void>;
  /** Queues the renditions above 1080 lines of a video whose ladder is stored. */
  queueLarge(video: ProcessedVideo, estimateS: number): Promise<void>;
  /** Progress from 0 to 1. Ignored after the end of processing, when a late report may arrive. */
  reportProgress(id: string, progress: number): Promise<void>;
  /** Queues another attempt after `startAfterS`; a new `reason` is shown until one succeeds. */
  wait(
    video: ProcessedVideo,
    wait: Waiting & { startAfterS: number; failures: number; reason?: string },
  ): Promise<void>;
  /** Ends processing. Only a video without any rendition becomes `failed`, and a new file. */
  giveUp(video: ProcessedVideo, failures: number, reason: string): Promise<void>;
  /** Ends processing; `storedBytes` is the size of all files but the original. */
  finish(id: string, storedBytes: number): Promise<void>;
  /** Records the size of all files but the original of a video that is complete. */
  saveStoredBytes(id: string, storedBytes: number): Promise<void>;
  /** Whether any worker runs another job of processing than the one that asks. */
  hasOtherWork(): Promise<boolean>;
  /** Whether a video is processed or may be now. One that waits for its next attempt does not count. */
  isBusy(): Promise<boolean>;
  /** Queues a job for every unfinished video that has none. */
  requeueUnfinished(): Promise<void>;
  /** Whether a video is removed and not in the trash. */
  isGone(video: Pick<ProcessedVideo, "videoId" | "mediaToken">): Promise<boolean>;
}

/** What the sweep deletes then. */
const withoutFiles = {
  source_key: null,
  ...Object.fromEntries(Object.values(fileColumns).map((column) => [column, null])),
};

export function createProcessingStateService(deps: {
  db: Db;
  queue: JobQueue;
  changed: PublishChanges;
}): ProcessingStateService {
  const { db, queue, changed } = deps;

  const keysOf = (files: StoredFile[]) =>
    Object.fromEntries(
      files.flatMap(({ role, key }) => (hasFileColumn(role) ? [[fileColumns[role], key]] : [])),
    );

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
        chapters: JSON.stringify(facts.chapters),
        file_gain_db: facts.gainDb,
        failures: 0,
        failure_reason: null,
      });
      // A published video is listed from now on.
      await changed(await listVideoTags(db, [videoId]));
    },

    saveLoudness: (id, loudness) => update(id, { loudness: JSON.stringify(loudness) }),

    async saveQuality(id, crf) {
      await updateProcessed(db, id, { ladder_crf: crf });
    },

    async saveFiles(id, files, { size, addedNotices = [], fingerprint, ...sound } = {}) {
      await addNotices(db, id, addedNotices);
      const values = {
        ...keysOf(files),
        ...size,
        fingerprint,
        file_gain_db: sound.fileGainDb,
        ladder_gain_db: sound.ladderGainDb,
        ...(sound.sounds === undefined ? {} : { sounds: JSON.stringify(sound.sounds) }),
      };
      // Notices alone leave nothing to set.
      if (Object.values(values).some((value) => value !== undefined)) await update(id, values);
    },

    queueEncode: (id, { estimateS, isPlayable, ...waiting }) =>
      enqueueProcessing(queue, db, encodeJobOf(estimateS), id, {
        estimateS,
        isPlayable,
        ...(waiting.waits === 0 ? {} : waiting),
      }),

    queueFinish: (id, estimateS) => enqueueProcessing(queue, db, "video.finish", id, { estimateS }),

    queueLarge: ({ id, isRenewal }, estimateS) =>
      enqueueProcessing(queue, db, "video.finish", id, { estimateS, isRenewal, isLarge: true }),

    reportProgress: (id, progress) => updateProgress(db, id, progress),

    async wait(video, { startAfterS, failures, reason, ...waiting }) {
      await enqueueProcessing(queue, db, nextJobOf(video.status), video.id, {
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
      const names: readonly JobName[] = processingJobs;
      const figures = (await listQueueFigures(db)).filter(({ name }) => names.includes(name));
      return figures.reduce((sum, { active }) => sum + active, 0) > 1;
    },

    async isBusy() {
      if ((await listUnfinished(db)).length === 0) return false;
      const figures = await listQueueFigures(db);
      const names: readonly JobName[] = processingJobs;
      return figures.some(
        ({ name, waiting, active }) => names.includes(name) && waiting + active > 0,
      );
    },

    async requeueUnfinished() {
      for (const { id, status, isRenewal } of await listUnfinished(db)) {
        const isUnderWay = await queue.hasUnfinished(processingJobs, { videoId: id });
        if (!isUnderWay) {
          await enqueueProcessing(queue, db, nextJobOf(status), id, { isRenewal });
        }
      }
    },

    isGone: (video) => isVideoGone(db, video),
  };
}
