import type { VideoStatus } from "../../../../contract/videos.ts";
import { videoTag, type PublishChanges } from "../../../db/change-tags.ts";
import type { Db } from "../../../db/connection.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import type { MediaRole } from "../../../media/pipeline/media-file.ts";
import { folderEntryOf, mediaTokenOf, publicVideoPrefix } from "../../../storage/media-keys.ts";
import { enqueueProcessing } from "./enqueue-processing.ts";
import { listUnfinished, updateProgress } from "./processing-state.repository.ts";
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
  hasVideoWithSource,
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
  files: VideoFiles;
}

export interface StoredFile {
  role: MediaRole;
  key: string;
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
    facts: { durationS: number; width: number; height: number },
  ): Promise<void>;
  saveFiles(id: string, files: StoredFile[]): Promise<void>;
  /** Queues the job that does the rest for a playable video. */
  queueFinish(id: string): Promise<void>;
  /** Progress from 0 to 1. Ignored after the end of processing, when a late report may arrive. */
  reportProgress(id: string, progress: number): Promise<void>;
  /** Queues another attempt after `startAfterS`. */
  retryLater(video: ProcessedVideo, failures: number, startAfterS: number): Promise<void>;
  /** Ends processing. Only a video without any rendition becomes `failed`. */
  giveUp(video: ProcessedVideo, failures: number, reason: string): Promise<void>;
  /** Ends processing; `storedBytes` is the size of all files but the original. */
  finish(id: string, storedBytes: number): Promise<void>;
  /** Queues a job for every unfinished video that has none. */
  requeueUnfinished(): Promise<void>;
  /** Whether a stored object belongs to a video. */
  isInUse(key: string): Promise<boolean>;
}

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
      const { media_token: mediaToken, status, failures } = row;
      return { id: row.id, mediaToken, status, failures, files: filesOf(row) };
    },

    async savePlayable(id, files, { durationS, width, height }) {
      await updateVideo(db, id, {
        ...keysOf(files),
        status: "ready",
        duration_s: durationS,
        width,
        height,
        failures: 0,
      });
      // A published video is listed from now on.
      await changed(await listVideoTags(db, [id]));
    },

    async saveFiles(id, files) {
      await updateVideo(db, id, keysOf(files));
      await changed([videoTag(id)]);
    },

    queueFinish: (id) => enqueueProcessing(queue, db, { id, status: "ready" }),

    reportProgress: (id, progress) => updateProgress(db, id, progress),

    async retryLater(video, failures, startAfterS) {
      await updateVideo(db, video.id, { failures });
      await enqueueProcessing(queue, db, video, { failures, startAfterS });
    },

    async giveUp(video, failures, reason) {
      await updateVideo(db, video.id, {
        failures,
        progress: null,
        ...(video.status === "processing" ? { status: "failed", failure_reason: reason } : {}),
      });
      await changed([videoTag(video.id)]);
    },

    async finish(id, storedBytes) {
      await updateVideo(db, id, { stored_bytes: storedBytes, failures: 0, progress: 1 });
      await changed([videoTag(id)]);
    },

    async requeueUnfinished() {
      for (const video of await listUnfinished(db)) await enqueueProcessing(queue, db, video);
    },

    async isInUse(key) {
      if (!key.startsWith(publicVideoPrefix)) return hasVideoWithSource(db, key);
      const row = await findVideoByToken(db, mediaTokenOf(key));
      return row !== null && entriesInUse(filesOf(row)).has(folderEntryOf(key));
    },
  };
}
