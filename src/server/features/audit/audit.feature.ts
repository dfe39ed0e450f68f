import type { Db } from "#server/db/connection.ts";
import { auditList, auditQuery } from "#contract/accounts/audit.ts";
import type { Feature, App } from "#server/http/app.ts";
import { listAudit } from "./audit.service.ts";

function registerAuditRoutes(app: App, deps: { db: Db }): void {
  app.get(
    "/api/admin/audit",
    {
      config: { policy: "audit.read" },
      schema: {
        tags: ["admin"],
        summary: "List changes with author and time, latest first",
        querystring: auditQuery,
        response: { 200: auditList },
      },
    },
    (request) => listAudit(deps.db, request.query),
  );
}

export function createAuditFeature(deps: { db: Db }): Feature {
  return { registerRoutes: (app) => registerAuditRoutes(app, deps) };
}
