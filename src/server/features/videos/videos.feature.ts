import { concerns, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { createMediaAccess, type MediaAccess } from "./files/media-access.ts";
import {
  createPrivateLinksService,
  type PrivateLinksService,
} from "./private-links/private-links.service.ts";
import { registerPrivateLinkRoutes } from "./private-links/private-links.routes.ts";
import type { MidrollRules } from "./midroll.ts";
import { createNewVideosService, type NewVideosService } from "./new-videos.service.ts";
import {
  createProcessingStateService,
  type ProcessingStateService,
} from "./processing-state/processing-state.service.ts";
import { createSchedulingJob } from "./publishing/scheduling.jobs.ts";
import { registerSchedulingRoutes } from "./publishing/scheduling.routes.ts";
import { createSchedulingService } from "./publishing/scheduling.service.ts";
import { registerVideoFileRoutes } from "./files/video-files.routes.ts";
import { registerThumbnailRoutes } from "./files/thumbnail.routes.ts";
import { createThumbnailService, type ThumbnailService } from "./files/thumbnail.service.ts";
import { createOriginalsService, type OriginalsService } from "./originals/originals.service.ts";
import { registerReplacementRoutes } from "./replacements/replacements.routes.ts";
import {
  createReplacementsService,
  type ReplacementsService,
} from "./replacements/replacements.service.ts";
import { createRenewalsService } from "./replacements/renewals.service.ts";
import { createFileReviews, type FileReviews } from "./reviews/file-reviews.service.ts";
import { createTrashJob } from "./trash/trash.jobs.ts";
import { registerTrashRoutes } from "./trash/trash.routes.ts";
import { createTrashService } from "./trash/trash.service.ts";
import { createVideoChangesService, type VideoChangesService } from "./video-changes.service.ts";
import { registerVideoRoutes } from "./videos.routes.ts";
import { createListSkeletons, type ListSkeletons } from "./query/list-skeletons.ts";
import { registerListRoutes } from "./query/lists.routes.ts";
import { createListsService, type ListsService } from "./query/lists.service.ts";
import { createPipelines, type CreatePipeline } from "./query/pipeline.ts";
import { createTalliesJob } from "./query/tallies.jobs.ts";
import type { TextSearch } from "./query/text-search.ts";
import { createVideosService, type VideosService } from "./videos.service.ts";

export interface LibraryFeature extends Feature {
  videos: VideosService;
  changes: VideoChangesService;
  newVideos: NewVideosService;
  thumbnails: ThumbnailService;
  processingState: ProcessingStateService;
  replacements: ReplacementsService;
  originals: OriginalsService;
  fileReviews: FileReviews;
  privateLinks: PrivateLinksService;
  mediaAccess: MediaAccess;
  lists: ListsService;
  skeletons: ListSkeletons;
  createPipeline: CreatePipeline;
}

/** Creates, edits, publishes, schedules and removes videos, and tracks their processing. */
export function createLibraryFeature(deps: {
  db: Db;
  reads: Db;
  clock: Clock;
  logger: Logger;
  labels: LabelsService;
  search: TextSearch;
  storage: Storage;
  queue: JobQueue;
  media: Pick<Media, "makeThumbnail">;
  changed: PublishChanges;
  /** Returns the rules for videos without their own mid-roll times. */
  findMidrollRules: () => Promise<MidrollRules>;
}): LibraryFeature {
  const { logger, storage } = deps;
  const createPipeline = createPipelines(deps);
  const skeletons = createListSkeletons(deps);
  const lists = createListsService({ ...deps, createPipeline, skeletons });
  const videos = createVideosService(deps);
  const changes = createVideoChangesService({ ...deps, videos });
  const scheduling = createSchedulingService({ ...deps, videos });
  const replacements = createReplacementsService({ ...deps, videos });
  const renewals = createRenewalsService({ ...deps, videos });
  const privateLinks = createPrivateLinksService(deps);
  const thumbnails = createThumbnailService({ ...deps, videos });
  const trash = createTrashService({ ...deps, videos });
  const { mediaAccess, invalidate: invalidateAccess } = createMediaAccess(deps);
  return {
    videos,
    changes,
    newVideos: createNewVideosService(deps),
    thumbnails,
    processingState: createProcessingStateService(deps),
    replacements,
    originals: createOriginalsService(deps),
    fileReviews: createFileReviews(deps),
    privateLinks,
    mediaAccess,
    lists,
    skeletons,
    createPipeline,
    jobs: [
      createSchedulingJob({ scheduling, logger }),
      createTrashJob({ trash, logger }),
      createTalliesJob(deps),
    ],
    registerRoutes(app) {
      registerListRoutes(app, { lists });
      registerVideoRoutes(app, { videos, changes, renewals });
      registerSchedulingRoutes(app, { scheduling });
      registerTrashRoutes(app, { trash });
      registerVideoFileRoutes(app, { db: deps.db, storage, replacements });
      registerReplacementRoutes(app, { replacements });
      registerPrivateLinkRoutes(app, { privateLinks });
      registerThumbnailRoutes(app, { storage, thumbnails });
    },
    invalidate(changes) {
      if (concerns(changes, "videos")) invalidateAccess();
    },
  };
}
