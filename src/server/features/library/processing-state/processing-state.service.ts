import { isKeptInTrash } from "../trash/trash.repository.ts";
import type { Chapter, Loudness, VideoSound, VideoStatus } from "../../../../contract/videos.ts";
import { videoTag, type PublishChanges } from "../../../db/change-tags.ts";
import type { Db } from "../../../db/connection.ts";
import type { StoredCaption } from "../../../db/stored-caption.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import type { MediaRole } from "../../../media/pipeline/media-file.ts";
import { folderEntryOf, mediaTokenOf, publicVideoPrefix } from "../../../storage/media-keys.ts";
import { encodeJobOf, enqueueProcessing, nextJobOf, processingJobs } from "./enqueue-processing.ts";
import { addNotices, listUnfinished, updateProgress } from "./processing-state.repository.ts";
import {
  entriesInUse,
  fileColumns,
  filesOf,
  hasFileColumn,
  type VideoFiles,
} from "../files/video-files.ts";
import {
  findVideoByToken,
  findVideoRow,
  isSourceInUse,
  updateVideo,
} from "../videos.repository.ts";
import { listVideoTags } from "../video-tags.repository.ts";

/** What processing needs to know of a video. */
export interface ProcessedVideo {
  id: string;
  mediaToken: string;
  status: VideoStatus;
  /** Failed attempts since the upload or the last retry. */
  failures: number;
  /** 1 at the end, null where it was given up. */
  progress: number | null;
  /** As it plays now. */
  width: number | null;
  height: number | null;
  files: VideoFiles;
  loudness: Loudness | null;
  /** By which the sound of the ladder was raised or lowered. */
  ladderGainDb: number;
  captions: readonly StoredCaption[];
}

export interface StoredFile {
  role: MediaRole;
  key: string;
}

interface QueuedPart {
  number: number;
  estimateS: number;
  /** How often it was left to others; then it waits for a moment. */
  yields?: number;
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
    },
  ): Promise<void>;
  /**
   * Queues the encode of what a video needs first.
   * @param plan its processor time, and how many attempts in a row something outside has ended.
   */
  queueEncode(id: string, plan: { estimateS: number; waits: number }): Promise<void>;
  /**
   * Queues the job that does the rest for a playable video.
   * @param options.isJoin all parts of the ladder are made.
   */
  queueFinish(id: string, estimateS: number, options?: { isJoin?: boolean }): Promise<void>;
  /** Queues a part of the ladder that several workers make. */
  queuePart(id: string, part: QueuedPart): Promise<void>;
  /** Progress from 0 to 1. Ignored after the end of processing, when a late report may arrive. */
  reportProgress(id: string, progress: number): Promise<void>;
  /** Queues another attempt after `startAfterS`. */
  retryLater(video: ProcessedVideo, failures: number, startAfterS: number): Promise<void>;
  /** The same where something outside ended the attempt; `reason` is shown until one succeeds. */
  waitOutside(
    video: ProcessedVideo,
    wait: { waits: number; startAfterS: number; reason: string },
  ): Promise<void>;
  /** Ends processing. Only a video without any rendition becomes `failed`. */
  giveUp(video: ProcessedVideo, failures: number, reason: string): Promise<void>;
  /** Ends processing; `storedBytes` is the size of all files but the original. */
  finish(id: string, storedBytes: number): Promise<void>;
  /** Queues a job for every unfinished video that has none. */
  requeueUnfinished(): Promise<void>;
  /** Whether a stored object belongs to a video. */
  isInUse(key: string): Promise<boolean>;
  /** Whether a video is removed and not in the trash. */
  isGone(video: { id: string; mediaToken: string }): Promise<boolean>;
}

const finish = ["video.finish"] as const;
/** How long a part waits for the worker that it was left to. */
const yieldS = 1;

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

  return {
    async find(id) {
      const row = await findVideoRow(db, id);
      if (row === null) return null;
      const { media_token: mediaToken, status, failures, progress, width, height, captions } = row;
      const { loudness, ladder_gain_db: ladderGainDb } = row;
      const video = { id: row.id, mediaToken, status, failures, progress, width, height };
      return { ...video, files: filesOf(row), loudness, ladderGainDb, captions };
    },

    async savePlayable(id, files, { durationS, width, height, ...facts }) {
      await updateVideo(db, id, {
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
      await changed(await listVideoTags(db, [id]));
    },

    async saveLoudness(id, loudness) {
      await updateVideo(db, id, { loudness: JSON.stringify(loudness) });
      await changed([videoTag(id)]);
    },

    async saveFiles(id, files, { size, addedNotices = [], ...sound } = {}) {
      await updateVideo(db, id, {
        ...{ ...keysOf(files), ...size },
        ...{ file_gain_db: sound.fileGainDb, ladder_gain_db: sound.ladderGainDb },
        ...(sound.sounds === undefined ? {} : { sounds: JSON.stringify(sound.sounds) }),
      });
      await addNotices(db, id, addedNotices);
      await changed([videoTag(id)]);
    },

    queueEncode: (id, { estimateS, waits }) =>
      enqueueProcessing(queue, db, encodeJobOf(estimateS), id, {
        estimateS,
        ...(waits === 0 ? {} : { waits }),
      }),

    queueFinish: (id, estimateS, { isJoin = false } = {}) =>
      enqueueProcessing(queue, db, "video.finish", id, { estimateS, isJoin }),

    async queuePart(id, { number, estimateS, yields = 0 }) {
      // Under another key, too.
      const isOffered =
        yields === 0 && (await queue.hasUnfinished(finish, { videoId: id, part: number }));
      if (isOffered) return;
      await enqueueProcessing(queue, db, "video.finish", id, {
        estimateS,
        part: { number, yields },
        ...(yields === 0 ? {} : { startAfterS: yieldS }),
      });
    },

    reportProgress: (id, progress) => updateProgress(db, id, progress),

    async retryLater(video, failures, startAfterS) {
      await updateVideo(db, video.id, { failures });
      await enqueueProcessing(queue, db, nextJobOf(video.status), video.id, {
        failures,
        startAfterS,
      });
    },

    async waitOutside(video, { waits, startAfterS, reason }) {
      await enqueueProcessing(queue, db, nextJobOf(video.status), video.id, { waits, startAfterS });
      await updateVideo(db, video.id, { failure_reason: reason });
      await changed([videoTag(video.id)]);
    },

    async giveUp(video, failures, reason) {
      await updateVideo(db, video.id, {
        failures,
        progress: null,
        failure_reason: reason,
        ...(video.status === "processing" ? { status: "failed" } : {}),
      });
      await changed([videoTag(video.id)]);
    },

    async finish(id, storedBytes) {
      await updateVideo(db, id, {
        stored_bytes: storedBytes,
        failures: 0,
        failure_reason: null,
        progress: 1,
      });
      await changed([videoTag(id)]);
    },

    async requeueUnfinished() {
      for (const { id, status } of await listUnfinished(db)) {
        const isUnderWay = await queue.hasUnfinished(processingJobs, { videoId: id });
        if (!isUnderWay) await enqueueProcessing(queue, db, nextJobOf(status), id);
      }
    },

    async isInUse(key) {
      if (!key.startsWith(publicVideoPrefix)) {
        return (await isSourceInUse(db, key)) || isKeptInTrash(db, { sourceKey: key });
      }
      const mediaToken = mediaTokenOf(key);
      const row = await findVideoByToken(db, mediaToken);
      if (row === null) return isKeptInTrash(db, { mediaToken });
      return entriesInUse(filesOf(row), row.captions).has(folderEntryOf(key));
    },

    async isGone({ id, mediaToken }) {
      return (await findVideoRow(db, id)) === null && !(await isKeptInTrash(db, { mediaToken }));
    },
  };
}
