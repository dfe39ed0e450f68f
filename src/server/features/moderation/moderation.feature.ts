import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Feature } from "#server/http/app.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { PrivateLinksService } from "#server/features/videos/private-links/private-links.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { createBlockedFilesService, type BlockedFilesService } from "./blocked-files.service.ts";
import { registerCommentRoutes } from "./comments/comments.routes.ts";
import { createCommentsService, type CommentsService } from "./comments/comments.service.ts";
import { createNewReportsService, type NewReportsService } from "./new-reports.service.ts";
import { registerPublicReportRoutes } from "./public-reports.routes.ts";
import { registerReportSenderRoutes } from "./report-senders.routes.ts";
import {
  createAskSenderJob,
  createReportSendersService,
  createSenderMailJob,
} from "./report-senders.service.ts";
import { registerBlockedFileRoutes, registerReportRoutes } from "./reports.routes.ts";
import { createReportsService } from "./reports.service.ts";

export interface ModerationFeature extends Feature {
  blockedFiles: BlockedFilesService;
  newReports: NewReportsService;
  comments: CommentsService;
}

/** Reports, takedown notices, their queue, and blocked files. */
export function createModerationFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  storage: Storage;
  media: Media;
  queue: JobQueue;
  mailer: Mailer;
  visitors: Visitors;
  changed: PublishChanges;
  videos: VideosService;
  privateLinks: PrivateLinksService;
  settings: SettingsService;
  listStaffNames: () => Promise<readonly string[]>;
  onReport: () => void;
}): ModerationFeature {
  const blockedFiles = createBlockedFilesService(deps);
  const senders = createReportSendersService(deps);
  const newReports = createNewReportsService({ ...deps, senders });
  const reports = createReportsService(deps);
  const comments = createCommentsService(deps);
  return {
    blockedFiles,
    newReports,
    comments,
    jobs: [createSenderMailJob(deps), createAskSenderJob(deps)],
    registerRoutes(app) {
      registerPublicReportRoutes(app, { ...deps, reports: newReports });
      registerReportSenderRoutes(app, { ...deps, senders });
      registerCommentRoutes(app, { ...deps, comments });
      registerReportRoutes(app, reports);
      registerBlockedFileRoutes(app, blockedFiles);
    },
  };
}
