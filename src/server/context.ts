import { join } from "node:path";
import type pg from "pg";
import type { Config } from "./config.ts";
import { createChangeFeed } from "./db/change-events.ts";
import { createDb, createPool, type DatabaseTarget, type Db } from "./db/connection.ts";
import { startEngine, type Engine } from "./db/engine/engine.ts";
import { migrateToLatest } from "./db/migrate.ts";
import { getSecret } from "./db/secrets.ts";
import { createAdminFeature, type AdminFeature } from "./features/admin/admin.feature.ts";
import { createAdsFeature, type AdsFeature } from "./features/ads/ads.feature.ts";
import { createAuthService, type AuthService } from "./features/auth/auth.service.ts";
import { createCatalogService, type CatalogService } from "./features/catalog/catalog.service.ts";
import { createBanditRanker } from "./features/feed/bandit-ranker.ts";
import { createFeedService, type FeedService } from "./features/feed/feed.service.ts";
import {
  createReferralsService,
  type ReferralsService,
} from "./features/referrals/referrals.service.ts";
import { createSearchService, type SearchService } from "./features/search/search.service.ts";
import {
  createSettingsService,
  type SettingsService,
} from "./features/settings/settings.service.ts";
import { createRankingUpkeepJob } from "./features/trending/ranking.jobs.ts";
import {
  createTrendingService,
  type TrendingService,
} from "./features/trending/trending.service.ts";
import { createUploadsFeature, type UploadsFeature } from "./features/uploads/uploads.feature.ts";
import { createIngestService, type IngestService } from "./features/uploads/ingest.service.ts";
import { createLikesService, type LikesService } from "./features/engagement/likes.service.ts";
import { createProcessingJobs } from "./features/processing/processing.jobs.ts";
import { createSweepJob } from "./features/processing/sweep.jobs.ts";
import { createVideosService, type VideosService } from "./features/library/videos.service.ts";
import { createListsService, type ListsService } from "./features/lists/lists.service.ts";
import { createVideoLists } from "./features/lists/video-lists.service.ts";
import {
  createRelatedService,
  createRelatedVideos,
  type RelatedService,
} from "./features/related/related.service.ts";
import { createWatchService, type WatchService } from "./features/engagement/watch.service.ts";
import { createHttpCore, type HttpCore } from "./http/app.ts";
import { createVisitors, type Visitors } from "./http/visitors.ts";
import type { AnyJobDefinition } from "./jobs/job-definition.ts";
import { createJobQueue, type JobQueue } from "./jobs/queue.ts";
import { systemClock, type Clock } from "./lib/clock.ts";
import type { Logger } from "./lib/logger.ts";
import { createMedia, type Media } from "./media/media.ts";
import { createLocalStorage } from "./storage/local.storage.ts";
import type { Storage } from "./storage/storage.ts";

/** Everything that is made once per process. */
export interface Context {
  config: Config;
  logger: Logger;
  clock: Clock;
  pool: pg.Pool;
  db: Db;
  storage: Storage;
  media: Media;
  queue: JobQueue;
  http: HttpCore;
  visitors: Visitors;
  auth: AuthService;
  settings: SettingsService;
  catalog: CatalogService;
  search: SearchService;
  videos: VideosService;
  lists: ListsService;
  related: RelatedService;
  ingest: IngestService;
  likes: LikesService;
  watches: WatchService;
  referrals: ReferralsService;
  trending: TrendingService;
  feed: FeedService;
  ads: AdsFeature;
  uploads: UploadsFeature;
  admin: AdminFeature;
  jobs: AnyJobDefinition[];
  /** Says that what visitors see has changed: every cache in every process lets go. */
  changed(): Promise<void>;
  /** Ends everything in order, waiting for what runs at most `timeoutMs` for jobs. */
  stop(timeoutMs: number): Promise<void>;
}

export interface ContextOptions {
  config: Config;
  logger: Logger;
  clock?: Clock;
  /** Instead of the embedded engine or DATABASE_URL; tests hand in a database of their own. */
  target?: DatabaseTarget;
}

/** How long answers under way may go on after a stop was asked for. */
const downloadsStopMs = 1000;

/** The one place where parts are put together. Starts the engine and brings the schema up to date. */
export async function createContext(options: ContextOptions): Promise<Context> {
  const { config, logger, clock = systemClock } = options;

  // Looking for ffmpeg takes a moment of its own; the engine starts meanwhile.
  const mediaReady = createMedia({
    logger,
    env: {
      ...(config.ffmpegPath === null ? {} : { FFMPEG_PATH: config.ffmpegPath }),
      ...(config.ffprobePath === null ? {} : { FFPROBE_PATH: config.ffprobePath }),
      PATH: process.env["PATH"] ?? "",
    },
    workRoot: join(config.dataDir, "media-work"),
  });
  mediaReady.catch(() => undefined);

  let engine: Engine | null = null;
  let target = options.target;
  if (target === undefined) {
    if (config.databaseUrl === null) {
      engine = await startEngine({ dataDir: config.dataDir, logger });
      target = engine.target;
    } else target = { connectionString: config.databaseUrl };
  }

  const pool = createPool(target, 16, logger);
  const db = createDb(pool);
  try {
    for (const name of await migrateToLatest(db)) logger.info({ migration: name }, "migrated");
  } catch (error) {
    await db.destroy();
    await engine?.stop();
    throw error;
  }
  const secret = await getSecret(db, "cookies");
  const storage = createLocalStorage({ root: join(config.dataDir, "storage") });
  const media = await mediaReady;
  if (media.report.line !== null) logger.warn(media.report.line);
  const isWorker = config.role !== "web";
  const queue = await createJobQueue({ target, logger, isWorker });

  const http = createHttpCore(config, logger);
  const feed = createChangeFeed(pool, logger);
  feed.onChange(() => http.cache.clear());
  const changed = () => feed.publish();

  const visitors = createVisitors(secret);
  const auth = createAuthService({ db, clock, secret });
  const settings = createSettingsService({ db, configuredSiteUrl: config.siteUrl, changed });
  const catalog = createCatalogService({ db, storage, media, changed });
  const search = createSearchService({ db });
  const videos = createVideosService({
    db,
    clock,
    logger,
    catalog,
    storage,
    queue,
    changed,
    findDefaultMidrolls: async () => (await settings.get()).midrollTimes,
  });
  const videoLists = createVideoLists({ db, catalog, search });
  const lists = createListsService({ videoLists, videos });
  const relatedVideos = createRelatedVideos({ db, lists: videoLists });
  const related = createRelatedService({ relatedVideos, videos });
  const ingest = createIngestService({ db, config, catalog, storage, queue, media, changed });
  const likes = createLikesService({ db, clock });
  const referrals = createReferralsService({ db, clock });
  const watches = createWatchService({ db, clock, onViews: referrals.recordPlays });
  const trending = createTrendingService({ db, clock });
  await trending.moveWindow();
  const forYou = createFeedService({
    db,
    clock,
    videos,
    ranker: createBanditRanker({ db, clock }),
  });
  feed.onChange(() => forYou.forget());
  const ads = createAdsFeature({ db, clock, logger, secret, changed });
  feed.onChange(() => ads.invalidate());
  const uploads = createUploadsFeature({ config, storage, media, videos, logger });
  const admin = createAdminFeature({
    db,
    clock,
    logger,
    queue,
    storage,
    media,
    catalog,
    videos,
    search,
    changed,
  });
  const jobs = [
    ...createProcessingJobs({ db, storage, queue, media, changed, logger }),
    createSweepJob({ db, storage, queue, auth, logger }),
    createRankingUpkeepJob({ db, trending, search }),
    ...uploads.jobs,
    ...admin.jobs,
  ];

  return {
    config,
    logger,
    clock,
    pool,
    db,
    storage,
    media,
    queue,
    http,
    visitors,
    auth,
    settings,
    catalog,
    search,
    videos,
    lists,
    related,
    ingest,
    likes,
    watches,
    referrals,
    trending,
    feed: forYou,
    ads,
    uploads,
    admin,
    jobs,
    changed,
    async stop(timeoutMs) {
      // Downloads that are still under way get a moment, then they are cut: players resume.
      const cut = setTimeout(() => http.app.server.closeAllConnections(), downloadsStopMs);
      await http.app.close();
      clearTimeout(cut);
      await watches.drain();
      await ads.drain();
      await queue.stop(timeoutMs);
      await feed.stop();
      await db.destroy();
      await engine?.stop();
    },
  };
}
