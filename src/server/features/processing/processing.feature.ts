import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/app.ts";
import type { Logger } from "#server/lib/logger.ts";
import { addCounter, type Metrics } from "#server/lib/metrics/metrics.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { AutomaticCaptions } from "#server/features/captions/automatic-captions.ts";
import type { BlockedFilesService } from "#server/features/moderation/blocked-files.service.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { OriginalsService } from "#server/features/videos/files/originals.service.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import type { ThumbnailService } from "#server/features/videos/thumbnail.service.ts";
import type { ReplacementsService } from "#server/features/videos/replacements/replacements.service.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import type { CutsService } from "#server/features/videos/cuts/cuts.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { createAv1Renditions } from "./av1.jobs.ts";
import { createProcessingJobs } from "./processing.jobs.ts";
import { registerCutRoutes } from "./cut.routes.ts";
import { createRunningJobs } from "./running-jobs.ts";

/** Processes uploaded files into renditions, and repairs the state after crashes. */
export function createProcessingFeature(deps: {
  config: Config;
  db: Db;
  queue: JobQueue;
  originals: OriginalsService;
  storedFiles: StoredFiles;
  storage: Storage;
  media: Media;
  processingState: ProcessingStateService;
  replacements: ReplacementsService;
  thumbnails: ThumbnailService;
  captions: CaptionsService;
  cuts: CutsService;
  videos: VideosService;
  automaticCaptions: AutomaticCaptions;
  blockedFiles: BlockedFilesService;
  settings: SettingsService;
  logger: Logger;
  metrics: Metrics;
}): Feature {
  const { processingState: state } = deps;
  const failures = addCounter(
    deps.metrics,
    "kinora_processing_failures_total",
    "Failed processing runs, by whether they are retried.",
    [{ result: "retried" }, { result: "given up" }],
  );
  const countFailure = (result: string) => failures.inc({ result });
  const running = createRunningJobs(state);
  const av1 = createAv1Renditions({ ...deps, state, running });
  return {
    registerRoutes: (app) => registerCutRoutes(app, deps),
    jobs: [
      ...createProcessingJobs({
        ...deps,
        automatic: deps.automaticCaptions,
        state,
        running,
        av1,
        countFailure,
      }),
      av1.job,
    ],
    requeue: state.requeueUnfinished,
    invalidate: (changes) => running.onChange(changes),
  };
}
