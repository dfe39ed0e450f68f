import type { Context } from "./context.ts";
import { registerSessions } from "./features/auth/session-hook.ts";
import { registerHealth } from "./http/health.routes.ts";
import { registerHttpMetrics } from "./http/http-metrics.ts";
import { registerOpenApi, registerOpenApiRoutes } from "./http/openapi.ts";
import { registerPolicies, type RegisteredRoute } from "./http/access/policy.ts";
import { registerWriteLimits } from "./http/limits/register-write-limits.ts";
import { registerSameOrigin } from "./http/access/same-origin.ts";
import { registerSecurityHeaders } from "./http/access/security-headers.ts";
import { registerSlowRefusals } from "./http/limits/slow-refusals.ts";
import { createReadQueue, registerTurns } from "./http/limits/turns.ts";
import { processName } from "./processes/child.ts";
import { createSiteFeature, type BuiltSite } from "./site/site.feature.ts";

/**
 * Registers the guards, then the routes of every feature, then the site. Without a built site there
 * are no pages, as in tests of the API.
 * @returns all routes with their policies.
 */
export async function registerEverything(
  context: Context,
  site: BuiltSite | null,
): Promise<RegisteredRoute[]> {
  const { http, config, metrics } = context;
  const { app } = http;

  if (config.metricsPort !== null) registerHttpMetrics(http, metrics, processName(config));

  registerTurns(app, context.sessionCookies, createReadQueue(config.webProcesses));
  registerSlowRefusals(app);
  registerSecurityHeaders(app);
  registerSessions(app, context);
  registerSameOrigin(app);
  // Policies read the user, so they come after the sessions.
  const routes = registerPolicies(app);
  if (config.writeLimits) {
    registerWriteLimits(app, { limits: context.writeLimits, visitors: context.visitors });
  }
  http.shareResponses();
  await registerOpenApi(app);

  registerHealth(app, context.findReadiness);
  for (const feature of context.features) await feature.registerRoutes?.(app);
  await createSiteFeature({ ...context, services: context, site }).registerRoutes(app);
  registerOpenApiRoutes(app);

  await app.ready();
  return routes;
}
