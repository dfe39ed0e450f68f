import { auditList, auditQuery } from "../../../contract/audit.ts";
import type { Db } from "../../db/connection.ts";
import type { App } from "../../http/app.ts";
import { AppError } from "../../lib/app-error.ts";
import { isUuid } from "../../lib/ids.ts";
import { listAuditRows } from "./audit.repository.ts";

const defaultLimit = 50;

function readPlace(cursor: string | undefined): { at: Date; id: string } | null {
  if (cursor === undefined) return null;
  const [ms = "", id = ""] = cursor.split("_");
  const at = new Date(Number(ms));
  if (!/^\d{1,15}$/.test(ms) || Number.isNaN(at.getTime()) || !isUuid(id)) {
    throw new AppError("invalid", "The cursor is not valid for this list.", {
      issues: [{ path: "cursor", message: "is not valid for this list" }],
    });
  }
  return { at, id };
}

export function registerAuditRoutes(app: App, deps: { db: Db }): void {
  app.get(
    "/api/admin/audit",
    {
      config: { policy: "admin" },
      schema: {
        tags: ["admin"],
        summary: "Who did what and when, the latest first",
        querystring: auditQuery,
        response: { 200: auditList },
      },
    },
    async (request) => {
      const { limit = defaultLimit, cursor, ...filter } = request.query;
      for (const day of [filter.from, filter.to]) {
        if (day !== undefined && Number.isNaN(Date.parse(`${day}T00:00:00Z`))) {
          throw new AppError("invalid", `There is no day ${day}.`);
        }
      }
      const rows = await listAuditRows(deps.db, filter, {
        limit: limit + 1,
        after: readPlace(cursor),
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        entries: page.map((row) => ({
          id: row.id,
          at: row.at.toISOString(),
          userEmail: row.user_email,
          action: row.action,
          entity: row.entity,
          entityId: row.entity_id,
          before: row.before,
          after: row.after,
          requestId: row.request_id,
        })),
        nextCursor:
          rows.length > limit && last !== undefined ? `${last.at.getTime()}_${last.id}` : null,
      };
    },
  );
}
