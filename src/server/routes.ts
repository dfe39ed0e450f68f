import type { Context } from "./context.ts";
import { registerAuditRoutes } from "./features/audit/audit.routes.ts";
import { registerAuthRoutes } from "./features/auth/auth.routes.ts";
import { registerCatalogRoutes } from "./features/catalog/catalog.routes.ts";
import { registerDiscoveryRoutes } from "./features/discovery/discovery.routes.ts";
import { createSitemapService } from "./features/discovery/sitemap.service.ts";
import { registerFeedRoutes } from "./features/feed/feed.routes.ts";
import { registerReferralRoutes } from "./features/referrals/referrals.routes.ts";
import { registerSettingsRoutes } from "./features/settings/settings.routes.ts";
import { registerSearchRoutes } from "./features/search/search.routes.ts";
import { createSuggestionsService } from "./features/search/suggestions.service.ts";
import { registerTrendingRoutes } from "./features/trending/trending.routes.ts";
import { registerEngagementRoutes } from "./features/engagement/engagement.routes.ts";
import { registerListRoutes } from "./features/lists/lists.routes.ts";
import { registerRelatedRoutes } from "./features/related/related.routes.ts";
import { registerFavoriteRoutes } from "./features/engagement/favorites.routes.ts";
import { readPlaylists } from "./site/read-playlists.ts";
import { registerStandingRoutes } from "./features/lists/rank.routes.ts";
import { createStandingService } from "./features/lists/rank.service.ts";
import { registerUploadRoutes } from "./features/uploads/multipart-upload.routes.ts";
import { createMediaAccess } from "./features/library/media-access.ts";
import { registerVideoRoutes } from "./features/library/videos.routes.ts";
import { registerHealth } from "./http/health.routes.ts";
import { registerMediaFiles } from "./site/media-files.routes.ts";
import { registerOpenApi, registerOpenApiRoutes } from "./http/openapi.ts";
import { createPageApi } from "./site/page-api.ts";
import { createPageSender, registerNotFound } from "./site/pages.routes.ts";
import type { PageRenderer } from "./site/pages/renderer.ts";
import { registerPolicies, type RegisteredRoute } from "./http/policy.ts";
import { registerSameOrigin } from "./http/same-origin.ts";
import { registerSecurityHeaders } from "./http/security-headers.ts";
import { registerSessions } from "./features/auth/session-hook.ts";
import { registerStaticFiles } from "./site/static-files.ts";

/**
 * Guards first, then every route. Without a renderer there are no pages (tests of the API).
 * @returns all routes with their policies.
 */
export async function registerEverything(
  context: Context,
  pages: { renderer: PageRenderer; clientDir: string } | null,
): Promise<RegisteredRoute[]> {
  const { app } = context.http;
  const { db, storage, queue, settings, videos, lists, related, catalog, trending, feed } = context;

  registerSecurityHeaders(app);
  registerSessions(app, context.auth);
  registerSameOrigin(app);
  // After the sessions: a policy asks who is signed in.
  const routes = registerPolicies(app);
  await registerOpenApi(app);

  registerHealth(app, {
    database: () => context.pool.query("select 1"),
    storage: () => storage.checkHealth(),
    queue: () => queue.isHealthy(),
  });
  registerAuthRoutes(app, context);
  registerSettingsRoutes(app, context);
  registerCatalogRoutes(app, context);
  registerListRoutes(app, context);
  registerVideoRoutes(app, context);
  registerRelatedRoutes(app, context);
  registerEngagementRoutes(app, context);
  registerUploadRoutes(app, { ...context, staged: context.uploads.staged });
  context.uploads.registerRoutes(app);
  registerStandingRoutes(app, { standings: createStandingService(context) });
  registerSearchRoutes(app, { suggestions: createSuggestionsService(context) });
  registerDiscoveryRoutes(app, {
    settings,
    videos,
    lists,
    catalog,
    sitemap: createSitemapService({ db, clock: context.clock, siteUrl: () => settings.siteUrl() }),
  });
  registerFavoriteRoutes(app, context);
  registerFeedRoutes(app, context);
  registerTrendingRoutes(app, context);
  registerReferralRoutes(app, context);
  registerAuditRoutes(app, context);
  context.ads.registerRoutes(app, context.visitors);
  context.http.shortcuts.push(context.ads.shortcut);
  context.admin.registerRoutes(app);
  registerMediaFiles(app, { storage, config: context.config, access: createMediaAccess(context) });
  registerOpenApiRoutes(app);

  if (pages === null) registerNotFound(app, null);
  else {
    await registerStaticFiles(app, pages.clientDir);
    const sendPage = createPageSender({
      renderer: pages.renderer,
      pageApi: createPageApi({
        settings,
        videos,
        lists,
        related,
        catalog,
        trending,
        feed,
        ads: context.ads,
        readPlaylists: (video) => readPlaylists(storage, video),
      }),
      siteUrl: () => settings.siteUrl(),
      extraScriptSources: () => context.ads.scriptSources(),
    });
    registerNotFound(app, sendPage);
  }
  await app.ready();
  return routes;
}
