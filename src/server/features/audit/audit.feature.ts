import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import { registerAuditRoutes } from "./audit.routes.ts";

export function createAuditFeature(deps: { db: Db }): Feature {
  return { registerRoutes: (app) => registerAuditRoutes(app, deps) };
}
