import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../../config.ts";
import type { App } from "../../http/app.ts";
import { defineJob, type AnyJobDefinition } from "../../jobs/job-definition.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
import type { VideosService } from "../library/videos.service.ts";
import { createStagedUploads, type StagedUploads } from "./staged-uploads.ts";
import { createTusServer } from "./tus-server.ts";
import { registerUploadPartRoutes } from "./uploads.routes.ts";

export interface UploadsFeature {
  staged: StagedUploads;
  jobs: AnyJobDefinition[];
  registerRoutes(app: App): void;
}

const path = "/api/uploads";
/** An upload that nobody went on with goes after this long; a weekend is in it. */
const untouchedMs = 4 * 24 * 3600 * 1000;

/** Resumable uploads, put together. */
export function createUploadsFeature(deps: {
  config: Pick<Config, "dataDir" | "maxUploadBytes">;
  storage: Storage;
  media: Pick<Media, "probe">;
  videos: VideosService;
  logger: Logger;
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

  return {
    staged,
    jobs: [
      defineJob({
        name: "uploads.sweep",
        payload: z.object({}),
        concurrency: 1,
        async run() {
          const count = await staged.sweep(untouchedMs);
          if (count > 0) logger.info({ count }, "removed uploads that nobody went on with");
        },
      }),
    ],
    registerRoutes: (app) => registerUploadPartRoutes(app, { path, tus: server }),
  };
}
