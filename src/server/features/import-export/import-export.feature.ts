import { z } from "zod";
import { Readable } from "node:stream";
import type { Config } from "#server/config.ts";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import { defineJob, type JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import { createGuardedRequest } from "#server/lib/outbound/guarded-request.ts";
import type { Metrics } from "#server/lib/metrics/metrics.ts";
import type { Media } from "#server/media/media.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { SiteStorage } from "#server/storage/site-storage.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { AdsFeature } from "#ads/server/ads.feature.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { VideoChangesService } from "#server/features/videos/video-changes.service.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { ReferralsService } from "#server/features/referrals/referrals.service.ts";
import type { IngestService } from "#server/features/uploads/ingest.service.ts";
import { csvActions, csvKinds, type CsvKind } from "#contract/videos/imports.ts";
import type { Feature, App, HttpCore } from "#server/http/app.ts";
import { byteOrderMark, csvLine } from "#server/lib/write-csv.ts";
import { createImportRunner } from "./imports/import-runner.service.ts";
import { registerImportRoutes } from "./imports/imports.routes.ts";
import { createImportsService } from "./imports/imports.service.ts";
import { createAdsCsv } from "./kinds/ads-csv.ts";
import { createLabelsCsv } from "./kinds/labels-csv.ts";
import { createReferralsCsv } from "./kinds/referrals-csv.ts";
import { createVideosCsv } from "./kinds/videos-csv.ts";
import { createOldAddresses, type OldAddresses } from "./site/old-addresses.ts";
import { createSiteImportRunner } from "./site/site-import-runner.ts";
import { createSiteImports, type SiteImports } from "./site/site-imports.service.ts";
import { createMediaImport } from "./media/media-import.ts";
import { registerWatchRoutes } from "./watch/watched-folder.routes.ts";
import { createWatchedFolder, type WatchedFolderService } from "./watch/watched-folder.service.ts";
import type { CsvFormat } from "./kinds/csv-format.ts";

const partLength = 32 * 1024;

/** Exports all entries of a kind as CSV, in large chunks. */
async function* exportCsv(format: CsvFormat): AsyncGenerator<string> {
  let part = byteOrderMark + csvLine(format.columns);
  for await (const cells of format.rows()) {
    part += csvLine(cells);
    if (part.length < partLength) continue;
    yield part;
    part = "";
  }
  yield part;
}

function registerExportRoutes(
  app: App,
  { formats, clock }: { formats: Record<CsvKind, CsvFormat>; clock: Clock },
): void {
  for (const kind of csvKinds) {
    app.get(
      `/api/admin/export/${kind}`,
      {
        config: { policy: csvActions[kind].read },
        schema: { tags: ["import and export"], summary: `Download all ${kind} as CSV` },
      },
      async (_request, reply) => {
        const day = clock.date().toISOString().slice(0, 10);
        void reply
          .type("text/csv; charset=utf-8")
          .header("content-disposition", `attachment; filename="${kind}-${day}.csv"`);
        return reply.send(Readable.from(exportCsv(formats[kind])));
      },
    );
  }
}

/** CSV import and export of the whole site, and import of video files from a folder or the web. */
export function createImportExportFeature(deps: {
  config: Config;
  db: Db;
  clock: Clock;
  logger: Logger;
  queue: JobQueue;
  storage: SiteStorage;
  media: Media;
  http: HttpCore;
  metrics: Metrics;
  settings: SettingsService;
  changed: PublishChanges;
  captions: CaptionsService;
  labels: LabelsService;
  videos: VideosService;
  createPipeline: CreatePipeline;
  changes: VideoChangesService;
  ingest: IngestService;
  ads: AdsFeature["ads"];
  referrals: ReferralsService;
}): Feature & {
  siteImports: SiteImports;
  oldAddresses: OldAddresses;
  watchedFolder: WatchedFolderService;
} {
  const { config, db, logger, labels } = deps;
  const oldAddresses = createOldAddresses(deps);
  const siteImports = createSiteImports({ ...deps, addresses: oldAddresses });
  const media = createMediaImport({ ...deps, request: createGuardedRequest() });
  const formats = {
    videos: createVideosCsv({ ...deps, media }),
    categories: createLabelsCsv("categories", labels),
    tags: createLabelsCsv("tags", labels),
    actors: createLabelsCsv("actors", labels),
    ads: createAdsCsv(deps.ads),
    referrals: createReferralsCsv(deps.referrals),
  };
  const imports = createImportsService(deps);
  const runSite = createSiteImportRunner({ ...deps, importDir: config.importDir, siteImports });
  const runner = createImportRunner({ db, logger, formats, runSite });
  const watchedFolder = createWatchedFolder({ ...deps, importDir: config.importDir, siteImports });
  return {
    siteImports,
    oldAddresses,
    watchedFolder,
    start: oldAddresses.refresh,
    invalidate: oldAddresses.invalidate,
    requeue: imports.requeue,
    jobs: [
      defineJob({
        name: "import.run",
        payload: z.object({ importId: z.uuid() }),
        concurrency: 1,
        async run({ importId }, { signal }) {
          try {
            await runner.run(importId, signal);
          } catch (error) {
            if (signal.aborted || isDatabaseUnreachable(error)) throw error;
            logger.error({ err: error, importId }, "import failed");
            await runner.fail(importId);
          }
        },
      }),
      defineJob({
        name: "import.watch",
        payload: z.object({}),
        // A worker without the folder leaves the job to one that has it.
        concurrency: config.importDir === null ? 0 : 1,
        ...(config.importDir === null
          ? {}
          : { schedule: { cron: "* * * * *", runsAtStart: true } }),
        run: (_, { signal }) => watchedFolder.watch(signal),
      }),
    ],
    registerRoutes(app) {
      registerExportRoutes(app, { ...deps, formats });
      registerImportRoutes(app, { ...deps, imports, siteImports, importDir: config.importDir });
      registerWatchRoutes(app, watchedFolder);
    },
  };
}
