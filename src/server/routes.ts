import type { Context } from "./context.ts";
import { registerSessions } from "./features/auth/session-hook.ts";
import { registerHealth } from "./http/health.routes.ts";
import { registerHttpMetrics } from "./http/http-metrics.ts";
import { registerIdempotency } from "./http/idempotency.ts";
import { registerOpenApi, registerOpenApiRoutes } from "./http/openapi.ts";
import { registerPolicies, type RegisteredRoute } from "./http/access/policy.ts";
import { registerWriteLimits } from "./http/limits/write-limits.ts";
import { registerSameOrigin } from "./http/access/same-origin.ts";
import { registerSecurityHeaders } from "./http/access/security-headers.ts";
import { createReadSemaphore, registerReadLimit } from "./http/limits/read-limit.ts";
import { processName } from "./processes/child.ts";
import { createSiteFeature, type BuiltSite } from "./site/site.feature.ts";

/**
 * Registers the guards, then the routes of every feature, then the site. Serves no pages without a
 * built site, as in tests of the API.
 * @returns all routes with their policies.
 */
export async function registerEverything(
  context: Context,
  site: BuiltSite | null,
): Promise<RegisteredRoute[]> {
  const { http, config, metrics } = context;
  const { app } = http;

  if (config.metricsPort !== null) registerHttpMetrics(http, metrics, processName(config));

  registerReadLimit(app, createReadSemaphore(config.webProcesses));
  registerSecurityHeaders(app);
  registerSessions(app, context);
  registerSameOrigin(app);
  // Policies read the user, so they run after the sessions.
  const routes = registerPolicies(app);
  if (config.writeLimits) await registerWriteLimits(app, context);
  http.shareResponses();
  registerIdempotency(app, context);
  await registerOpenApi(app);

  registerHealth(app, context.findReadiness);
  for (const feature of context.features) await feature.registerRoutes?.(app);
  await createSiteFeature({ ...context, services: context, site }).registerRoutes(app);
  registerOpenApiRoutes(app);

  await app.ready();
  return routes;
}
