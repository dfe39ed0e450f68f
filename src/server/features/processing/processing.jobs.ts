import { mkdir } from "node:fs/promises";
import { z } from "zod";
import { isDatabaseAway, type Db } from "../../db/connection.ts";
import { defineJob, type AnyJobDefinition, type JobContext } from "../../jobs/job-definition.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { AppError } from "../../lib/app-error.ts";
import { newToken } from "../../lib/ids.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Media } from "../../media/media.ts";
import type { MediaFile, MediaRole } from "../../media/pipeline/media-file.ts";
import type { StageName } from "../../media/pipeline/process-video.ts";
import type { Storage } from "../../storage/storage.ts";
import { partOf, sourceKey, videoFolder } from "../../storage/media-address.ts";
import * as repository from "../library/videos.repository.ts";

/** A video that fails this often for a reason of its own stays failed until somebody retries it. */
const mostFailures = 3;
const retryAfterS = 5;
/** Progress is written at most this often. */
const progressEveryMs = 1000;

const payload = z.object({ videoId: z.uuid() });

interface Deps {
  db: Db;
  storage: Storage;
  queue: JobQueue;
  media: Media;
  changed: () => Promise<void>;
  logger: Logger;
}

/** Which column of a video names which file. */
const columnOf = {
  progressive: "progressive_key",
  progressive_small: "progressive_small_key",
  hls_master: "hls_key",
  poster: "poster_key",
  thumbnail: "thumbnail_key",
  preview: "preview_key",
  storyboard: "storyboard_key",
} as const satisfies Partial<Record<MediaRole, keyof repository.VideoRow>>;

const hasColumn = (role: MediaRole): role is keyof typeof columnOf => role in columnOf;

/**
 * From upload to every rendition, in two jobs: `video.publish` makes the video playable as fast as
 * it can, `video.finish` makes the ladder and the rest afterwards, so that a long queue never keeps a
 * new video from being seen. Each looks at what is there already: running again repeats little.
 */
export function createProcessingJobs(deps: Deps): AnyJobDefinition[] {
  return [
    defineJob({
      name: "video.publish",
      payload,
      concurrency: 1,
      run: ({ videoId }, context) =>
        attempt(deps, videoId, context, async (row) => {
          if (row.status === "failed") return;
          await runStages(deps, row, context, ["playable", "pictures"]);
          await deps.queue.enqueue(deps.db, "video.finish", { videoId }, { key: videoId });
        }),
    }),
    defineJob({
      name: "video.finish",
      payload,
      concurrency: 1,
      run: ({ videoId }, context) =>
        attempt(deps, videoId, context, async (row) => {
          if (row.status !== "ready") return;
          await runStages(deps, row, context, ["pictures", "ladder", "extras"]);
          await finishUp(deps, row);
        }),
    }),
  ];
}

/** Runs a step and decides what its failure means: try again, or tell the operator why not. */
async function attempt(
  deps: Deps,
  videoId: string,
  { signal }: JobContext,
  step: (row: repository.VideoRow) => Promise<void>,
): Promise<void> {
  const { db, queue, logger, changed } = deps;
  const row = await repository.findVideoRow(db, videoId);
  if (row === null) return;
  try {
    await step(row);
  } catch (error) {
    // Being stopped, or a database that is away, says nothing about the video.
    if (signal.aborted || isDatabaseAway(error)) throw error;
    const now = await repository.findVideoRow(db, videoId);
    if (now === null) return;
    const failures = now.failures + 1;
    logger.warn({ err: error, videoId, failures }, "processing failed");
    const isFinal = error instanceof AppError && error.code !== "storage_full";
    if (!isFinal && failures < mostFailures) {
      await repository.updateVideo(db, videoId, { failures });
      await queue.enqueue(
        db,
        now.status === "processing" ? "video.publish" : "video.finish",
        { videoId },
        { key: `${videoId}/${failures}`, startAfterS: retryAfterS * failures },
      );
      return;
    }
    const reason =
      error instanceof AppError
        ? error.message
        : "The video could not be processed. Retry, or upload it in another format.";
    // What plays goes on playing: only a video without any rendition is failed.
    await repository.updateVideo(
      db,
      videoId,
      now.status === "processing"
        ? { status: "failed", failure_reason: reason, failures, progress: null }
        : { failures, progress: null },
    );
    await changed();
  }
}

/** What a row has already; those stages are not run again. */
function doneStages(row: repository.VideoRow): Set<StageName> {
  const done = new Set<StageName>();
  if (row.progressive_key !== null) done.add("playable");
  if (row.poster_key !== null && row.preview_key !== null) done.add("pictures");
  if (row.hls_key !== null && row.storyboard_key !== null) done.add("ladder").add("extras");
  return done;
}

async function runStages(
  deps: Deps,
  row: repository.VideoRow,
  { signal }: JobContext,
  wanted: StageName[],
): Promise<void> {
  const { db, storage, media, changed } = deps;
  const done = doneStages(row);
  for (const stage of ["playable", "pictures", "ladder", "extras"] as const) {
    if (!wanted.includes(stage)) done.add(stage);
  }
  if (done.size === 4) return;
  await using scratch = await storage.makeScratch();
  const workDir = `${scratch.path}/work`;
  await mkdir(workDir);
  let writtenAt = 0;

  await storage.withLocalFile(
    sourceKey(row.id),
    async (sourcePath) => {
      const facts = await media.probe(sourcePath, signal);
      const result = await media.process({
        sourcePath,
        facts,
        workDir,
        done,
        signal,
        hooks: {
          onPlayable: async (made) => {
            await storeFiles(deps, row, made.files, {
              status: "ready",
              duration_s: made.durationS,
              width: made.width,
              height: made.height,
              failures: 0,
            });
            await changed();
          },
          onPictures: async (made) => {
            // A picture that came with the upload stays the thumbnail.
            const files = made.files.filter(
              ({ role }) => role !== "thumbnail" || row.thumbnail_key === null,
            );
            await storeFiles(deps, row, files, {});
            await changed();
          },
          // The small file and the storyboard follow in the same run.
          onLadder: (made) => storeFiles(deps, row, made.files, {}),
          onExtras: (made) => storeFiles(deps, row, made.files, {}),
          onProgress(progress) {
            const at = Date.now();
            if (at - writtenAt < progressEveryMs || signal.aborted) return;
            writtenAt = at;
            const value = Math.min(0.99, progress);
            repository.reportProgress(db, row.id, value).catch(() => undefined);
          },
        },
      });
      const [problem] = result.problems;
      if (problem !== undefined) throw new Error(problem.message, { cause: problem.cause });
    },
    signal,
  );
}

/** Stores the files of one stage under fresh names, and only then tells the row of them. */
async function storeFiles(
  deps: Deps,
  row: repository.VideoRow,
  files: MediaFile[],
  values: Parameters<typeof repository.updateVideo>[2],
): Promise<void> {
  const { db, storage } = deps;
  const folder = `${videoFolder(row.media_token)}${newToken(6)}/`;
  const keys: Partial<Record<(typeof columnOf)[keyof typeof columnOf], string>> = {};
  for (const file of files) {
    const stored = await storage.putFile(folder + file.name, file.path);
    if (hasColumn(file.role)) keys[columnOf[file.role]] = stored.key;
  }
  await repository.updateVideo(db, row.id, { ...values, ...keys });
}

/** The last touch: how many bytes are in use, and that nothing is left to do. */
async function finishUp(
  { db, storage, changed }: Deps,
  before: repository.VideoRow,
): Promise<void> {
  const row = await repository.findVideoRow(db, before.id);
  if (row === null) return;
  const folder = videoFolder(row.media_token);
  const used = repository.usedParts(row);
  let storedBytes = 0;
  for await (const { key, sizeBytes } of storage.list(folder)) {
    if (used.has(partOf(key))) storedBytes += sizeBytes;
  }
  await repository.updateVideo(db, row.id, {
    stored_bytes: storedBytes,
    failures: 0,
    progress: 1,
  });
  await changed();
}
