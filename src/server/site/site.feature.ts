import type { Config } from "#server/config.ts";
import type { AdsFeature } from "#ads/server/ads.feature.ts";
import type { OldAddresses } from "#server/features/import-export/site/old-addresses.ts";
import type { FindRedirect } from "#server/features/media-redirects/media-redirects.feature.ts";
import type { TranscriptsService } from "#server/features/captions/transcripts.service.ts";
import type { PrivateLinksService } from "#server/features/videos/private-links/private-links.service.ts";
import type { MediaAccess } from "#server/features/videos/files/media-access.ts";
import type { Membership } from "#server/features/passes/membership.ts";
import type { OwnTextsService } from "#server/features/settings/own-texts.service.ts";
import type { RestrictionsService } from "#server/features/restrictions/restrictions.service.ts";
import type { PageTokens } from "#server/http/access/page-token.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Metrics } from "#server/lib/metrics/metrics.ts";
import type { App, HttpCore } from "#server/http/app.ts";
import type { SiteStorage } from "#server/storage/site-storage.ts";
import { createMediaBudget } from "./media-budget.ts";
import { registerMediaFiles } from "./media-files.routes.ts";
import { registerPassPage } from "./pass-page.routes.ts";
import { createPageApi, createServerPageApi, type PageServices } from "./page-api.ts";
import type { PageRenderer } from "./pages/page-renderer.ts";
import { createPageSender, registerNotFound } from "./pages.routes.ts";
import { registerStaticFiles } from "./static-files.ts";

/** Built web part: the renderer of its pages, and the folder with its scripts and styles. */
export interface BuiltSite {
  renderer: PageRenderer;
  clientDir: string;
}

/**
 * Serves media files, scripts, styles and pages. This is a layer above the features, which provide
 * the data of the pages.
 */
export function createSiteFeature(deps: {
  config: Config;
  db: Db;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  visitors: Visitors;
  storage: SiteStorage;
  findRedirect: FindRedirect;
  oldAddresses: OldAddresses;
  http: HttpCore;
  pageTokens: PageTokens;
  mediaAccess: MediaAccess;
  privateLinks: PrivateLinksService;
  restrictions: RestrictionsService;
  membership: Membership;
  ownTexts: OwnTextsService;
  services: PageServices & { ads: AdsFeature; transcripts: TranscriptsService };
  /** Null if the server has no pages. */
  site: BuiltSite | null;
}): { registerRoutes(app: App): Promise<void> } {
  const {
    config,
    storage,
    mediaAccess,
    privateLinks,
    findRedirect,
    oldAddresses,
    services,
    site,
    http,
    restrictions,
    ownTexts,
    pageTokens,
    membership,
  } = deps;
  return {
    async registerRoutes(app) {
      const budget = createMediaBudget({
        ...deps,
        findLimit: () => services.settings.mediaBytesPerHour(),
      });
      app.addHook("onClose", budget.flush);
      registerMediaFiles(app, {
        budget,
        storage,
        config,
        access: mediaAccess,
        privateLinks,
        findRedirect,
        restrictions,
        membership,
        settings: services.settings,
      });
      if (site === null) {
        registerPassPage(app, { ...deps, sendPage: null });
        return registerNotFound(app, null);
      }
      for (const [path, names] of Object.entries(site.renderer.pageQueries)) {
        http.cacheQuery.declare(path, names);
      }
      const findFavicon = async () => (await services.settings.getPublic()).faviconUrl;
      await registerStaticFiles(app, site.clientDir, findFavicon);
      const sendPage = createPageSender({
        pageTokens,
        renderer: site.renderer,
        pageApi: createPageApi(services),
        serverApi: createServerPageApi(services),
        siteUrl: () => services.settings.siteUrl(),
        siteLanguage: () => services.settings.siteLanguage(),
        isUnlisted: (place) => services.ownPages.isUnlisted(place),
        allowsAi: async () => (await services.settings.current()).crawlAi,
        ownTexts: (language) => ownTexts.find(language),
        adOrigins: () => services.ads.pageOrigins(),
        embedding: () => services.settings.current(),
        findOldAddress: async (url) =>
          (await oldAddresses.find(url)) ?? (await services.ownPages.findMoved(url)),
        blockedVideoPage: (request) => restrictions.blockedVideoPage(request),
        isUnknown: (url) => http.cacheQuery.isUnknown(url),
      });
      registerPassPage(app, { ...deps, sendPage });
      registerNotFound(app, sendPage);
    },
  };
}
