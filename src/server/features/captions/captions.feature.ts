import type { Config } from "#server/config.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import { createAutomaticCaptions, type AutomaticCaptions } from "./automatic-captions.ts";
import { createCaptionSearchJob } from "./caption-search.jobs.ts";
import { createCaptionFiles } from "./caption-files.ts";
import { registerCaptionRoutes } from "./captions.routes.ts";
import { createCaptionsService, type CaptionsService } from "./captions.service.ts";

/** Captions of videos: uploaded, found in the file, made by a command; edited, and in the playlists. */
export function createCaptionsFeature(deps: {
  config: Pick<Config, "captionCommand" | "captionLanguage">;
  db: Db;
  storage: Storage;
  media: Pick<Media, "probe" | "transcribe">;
  queue: JobQueue;
  changed: PublishChanges;
  processingState: ProcessingStateService;
  logger: Logger;
}): Feature & { captions: CaptionsService; automaticCaptions: AutomaticCaptions } {
  const files = createCaptionFiles(deps.storage);
  const captions = createCaptionsService({ ...deps, files });
  const automatic = createAutomaticCaptions({ ...deps, captions, state: deps.processingState });
  return {
    captions,
    automaticCaptions: automatic,
    jobs: [automatic.job, createCaptionSearchJob({ ...deps, files })],
    registerRoutes: (app) => registerCaptionRoutes(app, { captions, automatic }),
  };
}
