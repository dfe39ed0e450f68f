import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../../config.ts";
import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import { defineJob } from "../../jobs/job-definition.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import type { VideosService } from "../library/videos.service.ts";
import { createStagedUploads } from "./staged-uploads.ts";
import { createIngestService, type IngestService } from "./ingest.service.ts";
import { registerUploadRoutes } from "./multipart-upload.routes.ts";
import { createTusServer } from "./tus-server.ts";
import { registerUploadPartRoutes } from "./uploads.routes.ts";

export interface UploadsFeature extends Feature {
  ingest: IngestService;
}

const path = "/api/uploads";
/** An upload that nobody went on with goes after this long; a weekend is in it. */
const untouchedMs = 4 * 24 * 3600 * 1000;

/** Resumable uploads, put together. */
export function createUploadsFeature(deps: {
  db: Db;
  config: Pick<Config, "dataDir" | "maxUploadBytes">;
  catalog: CatalogService;
  storage: Storage;
  queue: JobQueue;
  media: Pick<Media, "probe" | "makeThumbnail">;
  videos: VideosService;
  logger: Logger;
  changed: () => Promise<void>;
}): UploadsFeature {
  const { config, storage, media, videos, logger } = deps;
  const directory = join(config.dataDir, "uploads");

  const { server, findSize } = createTusServer({
    path,
    directory,
    maxBytes: config.maxUploadBytes,
    findFreeBytes: () => storage.findFreeBytes(),
    inspect: (localPath) => media.probe(localPath),
    discard: (id) => staged.discard(id),
    onError: (error) => logger.warn({ err: error }, "a part of an upload could not be stored"),
  });
  const staged = createStagedUploads({
    directory,
    findSize,
    async findVideo(uploadId) {
      try {
        return await videos.get(uploadId, { isAdmin: true });
      } catch (error) {
        if (error instanceof AppError && error.code === "not_found") return null;
        throw error;
      }
    },
  });

  const ingest = createIngestService(deps);

  return {
    ingest,
    jobs: [
      defineJob({
        name: "uploads.sweep",
        payload: z.object({}),
        concurrency: 1,
        schedule: { cron: "23 * * * *" },
        async run() {
          const count = await staged.sweep(untouchedMs);
          if (count > 0) logger.info({ count }, "removed uploads that nobody went on with");
        },
      }),
    ],
    registerRoutes(app) {
      registerUploadRoutes(app, { config, storage, ingest, staged });
      registerUploadPartRoutes(app, { path, tus: server });
    },
  };
}
