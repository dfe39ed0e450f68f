import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { defineJob } from "#server/jobs/queue.ts";
import type { Logger } from "#server/lib/logger.ts";
import { runAll } from "#server/lib/run-all.ts";
import {
  publicPrefix,
  publicVideoPrefix,
  publishedPrefix,
  sourcePrefix,
  videoFolder,
  videoFolderEntry,
} from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import * as repository from "./stored-files.repository.ts";
import { entriesInUse, type VideoFiles } from "./video-files.ts";

/**
 * Minimum age of orphaned files. Younger files may belong to an upload that isn't in the database
 * yet.
 */
const orphanAgeMs = 24 * 3600 * 1000;
const maxRetiredAtOnce = 500;
const orphansAtOnce = 500;

interface VideoInUse {
  mediaToken: string;
  files: VideoFiles;
  captions: readonly StoredCaption[];
}

export interface RemovedVideo {
  id: string;
  mediaToken: string;
  sourceKey: string;
  /** Sources of its new and former files. They never come back from the trash. */
  otherSourceKeys?: readonly string[];
  /** True if the video is in the trash and its files are retained. */
  isKept?: boolean;
}

/**
 * Deletes all files of removed videos, except those that the trash retains. Never throws, because
 * the sweep deletes leftovers.
 */
export async function deleteVideoFiles(
  { storage, logger }: { storage: Storage; logger: Logger },
  removed: readonly RemovedVideo[],
): Promise<void> {
  for (const { id, mediaToken, sourceKey, otherSourceKeys = [], isKept = false } of removed) {
    try {
      for (const key of otherSourceKeys) await storage.delete(key);
      if (isKept) continue;
      await storage.deletePrefix(videoFolder(mediaToken));
      await storage.delete(sourceKey);
    } catch (error) {
      logger.warn(
        { err: error, videoId: id },
        "couldn't delete the files of a removed video, leaving them to the sweep",
      );
    }
  }
}

/**
 * Stored files: which rows refer to them, and when they are deleted. Rows are changed first, files
 * are deleted afterwards. Whatever a crash leaves behind is deleted by the sweep.
 */
export function createStoredFiles(deps: { db: Db; storage: Storage; logger: Logger }) {
  const { db, storage, logger } = deps;

  /** Deletes files that no row refers to, once they are old enough. */
  async function deleteOrphans(signal: AbortSignal): Promise<void> {
    const oldEnough = Date.now() - orphanAgeMs;
    let count = 0;
    for (const prefix of [publicVideoPrefix, sourcePrefix, publishedPrefix, publicPrefix]) {
      const root = prefix === publishedPrefix ? prefix : "";
      const deleteUnreferenced = async (originals: readonly string[]) => {
        for (const original of await repository.listUnreferenced(db, originals)) {
          signal.throwIfAborted();
          await storage.delete(root + original);
          count += 1;
        }
      };
      let originals: string[] = [];
      for await (const { key, modifiedAt } of storage.list(prefix)) {
        signal.throwIfAborted();
        if (modifiedAt.getTime() > oldEnough) continue;
        originals.push(key.slice(root.length));
        if (originals.length < orphansAtOnce) continue;
        await deleteUnreferenced(originals);
        originals = [];
      }
      await deleteUnreferenced(originals);
    }
    if (count > 0) logger.info({ count }, "deleted unreferenced files");
  }

  return {
    /** Returns whether a source file belongs to a video, its new file or the trash. */
    isVideoSource: (key: string): Promise<boolean> => repository.isVideoSource(db, key),

    /** Returns the size in bytes of a video's files in use, without the original. */
    async countBytes({ files, captions, mediaToken }: VideoInUse): Promise<number> {
      const inUse = entriesInUse(files, captions);
      let storedBytes = 0;
      for await (const { key, sizeBytes } of storage.list(videoFolder(mediaToken))) {
        if (inUse.has(videoFolderEntry(key))) storedBytes += sizeBytes;
      }
      return storedBytes;
    },

    /**
     * Runs work that stores files of a video. If the video is removed for good in the meantime,
     * deletes all its files again, because its removal couldn't delete those stored afterwards.
     * Also does so if the work fails or is stopped. If the database is unreachable then, the sweep
     * deletes the files.
     */
    async withoutLeftovers<T>(
      video: { videoId: string; mediaToken: string; sourceKey: string },
      work: () => Promise<T>,
    ): Promise<T> {
      try {
        return await work();
      } finally {
        const isGone = await repository.isVideoGone(db, video).catch(() => false);
        if (isGone) await deleteVideoFiles(deps, [{ ...video, id: video.videoId }]);
      }
    },

    /** Deletes replaced files that no cached page shows any more, and their public copies. */
    async deleteRetired(signal: AbortSignal): Promise<void> {
      for (;;) {
        const keys = await repository.listDueFiles(db, maxRetiredAtOnce);
        for (const key of keys) {
          signal.throwIfAborted();
          if (!(await repository.isNamed(db, key))) {
            await storage.delete(key);
            await storage.delete(publishedPrefix + key);
          }
          await repository.forgetRetired(db, key);
        }
        if (keys.length < maxRetiredAtOnce) return;
      }
    },

    deleteOrphans,
  };
}

export type StoredFiles = ReturnType<typeof createStoredFiles>;

/** Deletes replaced files and scratch folders of ended processes. */
export function createSweepJob(deps: {
  storage: Storage;
  logger: Logger;
  storedFiles: StoredFiles;
  /** Deletes rows of new files that ended long ago. */
  forgetReplacements: () => Promise<void>;
}) {
  const { storage, logger, storedFiles, forgetReplacements } = deps;
  return defineJob({
    name: "maintenance.sweep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "*/10 * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      // A step that always fails, such as listing uploads without permission, must not stop others.
      await runAll([
        forgetReplacements,
        () => storage.sweepScratch(logger),
        () => storedFiles.deleteRetired(signal),
      ]);
    },
  });
}

/** Deletes files without a row. Runs at the start and daily, because it lists the whole storage. */
export const createOrphansJob = (storedFiles: StoredFiles) =>
  defineJob({
    name: "maintenance.orphans",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "47 3 * * *", runsAtStart: true },
    run: (_payload, { signal }) => storedFiles.deleteOrphans(signal),
  });
