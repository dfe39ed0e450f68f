import { join } from "node:path";
import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { ChangeEvents } from "#server/db/change-events.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Feature } from "#server/http/app.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Metrics } from "#server/lib/metrics/metrics.ts";
import type { Media } from "#server/media/media.ts";
import type { S3Storage } from "#server/storage/s3/s3.storage.ts";
import type { SiteStorage } from "#server/storage/site-storage.ts";
import type { BlockedFilesService } from "#server/features/moderation/blocked-files.service.ts";
import type { NewVideosService } from "#server/features/videos/new-videos.service.ts";
import type { ReplacementsService } from "#server/features/videos/replacements/replacements.service.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import type { ThumbnailService } from "#server/features/videos/thumbnail.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/queue.ts";
import { createBucketUploads } from "./bucket-uploads.ts";
import { createIngestService, type IngestService } from "./ingest.service.ts";
import { registerMultipartUploadRoutes } from "./multipart-upload.routes.ts";
import { createStagedUploads, type StagedUploads } from "./staged-uploads.ts";
import { createUploadLocks, type UploadLocks } from "./upload-locks.ts";
import { createTusServer } from "./tus-server.ts";
import { registerTusRoutes } from "./tus.routes.ts";

/** Time after which an abandoned upload is deleted. Four days, so that it survives a weekend. */
const untouchedMs = 4 * 24 * 3600 * 1000;

function createUploadsSweepJob(deps: {
  staged: StagedUploads;
  locks: UploadLocks;
  logger: Logger;
}): AnyJobDefinition {
  return defineJob({
    name: "uploads.sweep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "23 * * * *" },
    async run() {
      await deps.locks.sweep();
      const count = await deps.staged.sweep(untouchedMs);
      if (count > 0) deps.logger.info({ count }, "deleted abandoned uploads");
    },
  });
}

export interface UploadsFeature extends Feature {
  ingest: IngestService;
}

const path = "/api/uploads";

/** Uploads by multipart form and by tus. */
export function createUploadsFeature(deps: {
  db: Db;
  config: Config;
  storage: SiteStorage;
  s3: S3Storage | null;
  media: Media;
  videos: VideosService;
  newVideos: NewVideosService;
  storedFiles: StoredFiles;
  replacements: ReplacementsService;
  thumbnails: ThumbnailService;
  logger: Logger;
  metrics: Metrics;
  blockedFiles: BlockedFilesService;
  changed: PublishChanges;
  changeEvents: ChangeEvents;
}): UploadsFeature {
  const { config, storage, s3, media, videos, logger } = deps;
  const directory = join(config.dataDir, "uploads");
  const locks = createUploadLocks(deps.db);

  const inBucket =
    s3 === null
      ? null
      : { uploads: createBucketUploads(deps.db, s3, deps.storedFiles), storage: s3 };

  const { server, findUpload } = createTusServer({
    path,
    directory,
    locks,
    maxBytes: config.maxUploadBytes,
    findFreeBytes: () => storage.findFreeBytes(),
    inBucket,
    isInBucket: () => storage.currentKind() === "s3",
    inspect: (localPath) => media.probe(localPath),
    discard: (id) => staged.discard(id),
    onError: (error) => logger.warn({ err: error }, "couldn't store a part of an upload"),
  });
  const staged = createStagedUploads({
    directory,
    locks,
    findUpload,
    inBucket,
    storage,
    findVideo: async (uploadId) =>
      (await videos.find(uploadId)) ?? deps.replacements.findVideo(uploadId),
  });
  const ingest = createIngestService(deps);

  return {
    ingest,
    jobs: [createUploadsSweepJob({ staged, locks, logger })],
    registerRoutes(app) {
      registerMultipartUploadRoutes(app, { config, storage, ingest, staged, videos });
      registerTusRoutes(app, { ...deps, path, tus: server });
    },
  };
}
