import { posix } from "node:path";
import { z } from "zod";
import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/queue.ts";
import { AppError, isNotFound } from "#server/lib/app-error.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import { mayBeEdited } from "#server/media/probe/edit-list.ts";
import {
  listSoundUris,
  listVariantUris,
  readPlaylist,
} from "#server/media/plan/master-playlist.ts";
import { containerHeadBytes, detectContainer } from "#server/media/probe/magic.ts";
import { readMovie, type OuterStructure } from "#server/media/probe/outer-structure.ts";
import { readAt, type ByteSource } from "#server/media/probe/read-at.ts";
import { standInKey } from "#server/storage/media-keys.ts";
import type { OpenObject, Storage } from "#server/storage/storage.ts";
import type { StoredFiles } from "../files/stored-files.service.ts";
import type { FileReviews } from "./file-reviews.service.ts";

const batchSize = 20;

type DueVideo = Awaited<ReturnType<FileReviews["listDue"]>>[number];

/**
 * Reviews videos of older versions after an upgrade, a few bytes of each. Files that contain what an
 * edit list hides are deleted and made again. Mirrored and HDR videos, which looked wrong, are made
 * again while they play. Runs until no video is left, and can be interrupted anywhere.
 */
export function createFileReviewJob(deps: {
  storage: Storage;
  storedFiles: StoredFiles;
  media: Media;
  fileReviews: FileReviews;
  logger: Logger;
}): AnyJobDefinition {
  const { storage, storedFiles, media, fileReviews, logger } = deps;

  async function hidesParts(key: string, signal: AbortSignal): Promise<boolean> {
    try {
      const probe = (path: string) => media.probe(path, signal);
      return (await storage.withLocalFile(key, probe, signal)).video.timeline !== null;
    } catch (error) {
      // Today's rules refuse its edit list.
      if (error instanceof AppError && error.code === "unusable_video") return true;
      throw error;
    }
  }

  /** Stores the former copy as the source, because the original no longer exists. */
  async function storeStandIn({ id }: DueVideo, copyKey: string) {
    const key = standInKey(id);
    const { sizeBytes } = await storage.withLocalFile(copyKey, (path) =>
      storage.putFile(key, path),
    );
    return { key, sizeBytes };
  }

  /** A copy can show what an edit list hid, without the list. The ladder always followed it. */
  async function reviewCopy(video: DueVideo, signal: AbortSignal): Promise<void> {
    const endS = await findLadderEnd(storage, video);
    if (endS > 0 && endS < video.durationS - slackS) {
      await fileReviews.withdrawCopy(video.id, endS);
      await storedFiles.deleteRetired(signal);
      logger.info({ videoId: video.id }, "withdrew a copy that is longer than its renditions");
    }
    await fileReviews.keep(video);
  }

  async function review(video: DueVideo, signal: AbortSignal): Promise<void> {
    const hasOriginal = (await storage.findStat(video.sourceKey)) !== null;
    const key = hasOriginal ? video.sourceKey : video.playableKey;
    if (key === null || (await storage.findStat(key)) === null) return fileReviews.keep(video);
    const movie = await readStoredMovie(storage, key);
    if (movie !== null && mayBeEdited(movie) && (await hidesParts(key, signal))) {
      const { id: videoId, mediaToken } = video;
      await storedFiles.withoutLeftovers(
        { videoId, mediaToken, sourceKey: standInKey(videoId) },
        async () =>
          fileReviews.withdraw(videoId, hasOriginal ? null : await storeStandIn(video, key)),
      );
      await storedFiles.deleteRetired(signal);
      logger.info({ videoId: video.id }, "withdrew files with parts that an edit list hides");
    } else if (!hasOriginal) await reviewCopy(video, signal);
    else if (video.isHdr || hasMirroredTrack(movie)) await fileReviews.reprocess(video.id);
    else await fileReviews.keep(video);
  }

  return defineJob({
    name: "media.review",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "*/10 * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      let after: string | null = null;
      for (;;) {
        const batch: DueVideo[] = await fileReviews.listDue({ after, limit: batchSize });
        for (const video of batch) {
          signal.throwIfAborted();
          try {
            await review(video, signal);
          } catch (error) {
            if (signal.aborted || isDatabaseUnreachable(error)) throw error;
            logger.warn({ err: error, videoId: video.id }, "couldn't review a video's files");
            // The storage affects all videos. The next run starts over.
            if (error instanceof AppError && /^(unavailable|storage_full)$/.test(error.code))
              return;
          }
        }
        const last = batch.at(-1);
        if (last === undefined) return;
        after = last.id;
      }
    },
  });
}

/** Maximum difference in length between a copy and the ladder of the same source. */
const slackS = 0.3;
const maxPlaylistBytes = 4_000_000;

/** Returns how long a stored ladder plays; infinite if it is missing. */
async function findLadderEnd(storage: Storage, { hlsKey }: DueVideo): Promise<number> {
  if (hlsKey === null) return Infinity;
  const read = async (key: string) => (await storage.readBytes(key, maxPlaylistBytes)).toString();
  try {
    const master = await read(hlsKey);
    const ends = [...listVariantUris(master), ...listSoundUris(master)].map(
      async (uri) => readPlaylist(await read(posix.join(posix.dirname(hlsKey), uri))).durationS,
    );
    return Math.max(...(await Promise.all(ends)));
  } catch (error) {
    if (isNotFound(error)) return Infinity;
    throw error;
  }
}

const hasMirroredTrack = (movie: OuterStructure | null): boolean =>
  movie?.tracks.some(({ kind, isMirrored }) => kind === "vide" && isMirrored) === true;

/** Reads the structure of a stored MP4 without fetching its media. Returns null for other files. */
async function readStoredMovie(storage: Storage, key: string): Promise<OuterStructure | null> {
  const object = await storage.openRead(key);
  try {
    const source = createByteSource(object);
    const isMovie = detectContainer(await readAt(source, 0, containerHeadBytes)) === "mov";
    return isMovie ? await readMovie(source, object.stat.sizeBytes) : null;
  } finally {
    object.close();
  }
}

/** Large enough that the index of most files takes a few requests to a bucket. */
const blockBytes = 64 * 1024;

/** Reads an object in blocks, because the structure of a file is read a few bytes at a time. */
function createByteSource(object: OpenObject): ByteSource {
  let block = Buffer.alloc(0);
  let blockAt = 0;
  async function load(at: number): Promise<void> {
    const end = Math.min(at + blockBytes, object.stat.sizeBytes) - 1;
    const pieces: Buffer[] = [];
    if (end >= at) {
      for await (const piece of object.pieces({ start: at, end })) pieces.push(Buffer.from(piece));
    }
    block = Buffer.concat(pieces);
    blockAt = at;
  }
  return {
    async read(buffer, offset, length, position) {
      const isLoaded = position >= blockAt && position + length <= blockAt + block.length;
      if (!isLoaded) await load(position);
      const from = position - blockAt;
      return { bytesRead: block.copy(buffer, offset, from, from + length) };
    },
  };
}
