import { concerns, type Changes, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { createCutsService } from "./cuts/cuts.service.ts";
import { createMediaAccess } from "./files/media-access.ts";
import { createPrivateLinksService } from "./private-links/private-links.service.ts";
import { registerPrivateLinkRoutes } from "./private-links/private-links.routes.ts";
import { createNewVideosService } from "./new-videos.service.ts";
import { createProcessingStateService } from "./processing-state/processing-state.service.ts";
import { createSchedulingJob, createSchedulingService } from "./publishing/scheduling.service.ts";
import { registerVideoFileRoutes } from "./video-files.routes.ts";
import { createThumbnailService } from "./thumbnail.service.ts";
import { createOriginalsService } from "./files/originals.service.ts";
import {
  createOrphansJob,
  createStoredFiles,
  createSweepJob,
} from "./files/stored-files.service.ts";
import { createReplacementsService } from "./replacements/replacements.service.ts";
import { createReprocessingService } from "./replacements/reprocessing.service.ts";
import { createFileReviews } from "./reviews/file-reviews.service.ts";
import { createFileReviewJob } from "./reviews/file-review.jobs.ts";
import { createTrashJob, createTrashService } from "./trash/trash.service.ts";
import { registerTrashRoutes } from "./trash/trash.routes.ts";
import { createVideoChangesService } from "./video-changes.service.ts";
import { registerVideoRoutes } from "./videos.routes.ts";
import { createListSkeletons } from "./query/list-skeletons.ts";
import { registerListRoutes } from "./query/lists.routes.ts";
import { createListsService } from "./query/lists.service.ts";
import { createPipelines } from "./query/pipeline.ts";
import { createTalliesJob } from "./query/tallies.sql.ts";
import type { TextSearch } from "./query/text-search.ts";
import { createVideosService } from "./videos.service.ts";

/** Creates, edits, publishes, schedules and removes videos, and tracks their processing. */
export function createVideosFeature(deps: {
  db: Db;
  reads: Db;
  clock: Clock;
  logger: Logger;
  labels: LabelsService;
  search: TextSearch;
  storage: Storage;
  queue: JobQueue;
  media: Media;
  settings: SettingsService;
  changed: PublishChanges;
}) {
  const { logger, storage, settings } = deps;
  const createPipeline = createPipelines(deps);
  const skeletons = createListSkeletons(deps);
  const lists = createListsService({ ...deps, createPipeline, skeletons });
  const videos = createVideosService({
    ...deps,
    async findMidrollRules() {
      const { midrollTimes, midrollEveryMin, breakGapS } = await settings.readFresh();
      return { times: midrollTimes, everyMin: midrollEveryMin, gapS: breakGapS };
    },
  });
  const changes = createVideoChangesService({ ...deps, videos });
  const scheduling = createSchedulingService({ ...deps, videos });
  const replacements = createReplacementsService({ ...deps, videos });
  const reprocessing = createReprocessingService({ ...deps, videos });
  const privateLinks = createPrivateLinksService(deps);
  const thumbnails = createThumbnailService({ ...deps, videos });
  const trash = createTrashService({ ...deps, videos });
  const { mediaAccess, invalidate: invalidateAccess } = createMediaAccess(deps);
  const storedFiles = createStoredFiles(deps);
  const originals = createOriginalsService(deps);
  const fileReviews = createFileReviews(deps);
  const newVideos = createNewVideosService(deps);
  return {
    videos,
    changes,
    newVideos,
    cuts: createCutsService({ ...deps, newVideos }),
    thumbnails,
    processingState: createProcessingStateService(deps),
    replacements,
    originals,
    storedFiles,
    privateLinks,
    mediaAccess,
    lists,
    skeletons,
    createPipeline,
    jobs: [
      createSchedulingJob({ scheduling, logger }),
      createTrashJob({ trash, logger }),
      createTalliesJob(deps),
      originals.job,
      createFileReviewJob({ ...deps, storedFiles, fileReviews }),
      createSweepJob({ ...deps, storedFiles, forgetReplacements: replacements.forgetOld }),
      createOrphansJob(storedFiles),
    ],
    requeue: originals.requeue,
    registerRoutes(app: App) {
      registerListRoutes(app, { lists });
      registerVideoRoutes(app, { videos, changes, scheduling, reprocessing });
      registerTrashRoutes(app, { trash });
      registerVideoFileRoutes(app, { db: deps.db, storage, replacements, thumbnails });
      registerPrivateLinkRoutes(app, { privateLinks });
    },
    invalidate(changes: Changes) {
      if (concerns(changes, "videos") || concerns(changes, "settings")) invalidateAccess();
    },
  };
}
