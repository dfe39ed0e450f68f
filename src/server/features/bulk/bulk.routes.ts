import { z } from "zod";
import {
  bulkJob,
  bulkJobList,
  bulkPlanRequest,
  bulkRequest,
} from "#contract/videos/admin-videos.ts";
import { reprocessingPlan } from "#contract/videos/reprocessing-plan.ts";
import { actorOf, requireAction } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { requiredAction } from "./apply-action.ts";
import type { BulkService } from "./bulk.service.ts";

const params = z.object({ id: z.string().min(1).max(200) });

export function registerBulkRoutes(app: App, { bulk }: { bulk: BulkService }): void {
  const tags = ["bulk actions"];

  app.get(
    "/api/admin/bulk",
    {
      config: { policy: "content.read" },
      schema: { tags, summary: "List the latest bulk actions", response: { 200: bulkJobList } },
    },
    () => bulk.list(),
  );

  app.post(
    "/api/admin/bulk",
    {
      config: { policy: "content.publish", isIdempotent: true },
      schema: {
        tags,
        summary: "Change selected videos, or all that match a filter",
        body: bulkRequest,
        response: { 202: bulkJob },
      },
    },
    async (request, reply) => {
      requireAction(request, requiredAction(request.body.action.kind));
      return reply.status(202).send(await bulk.start(request.body, actorOf(request)));
    },
  );

  app.post(
    "/api/admin/bulk/reprocess/plan",
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Estimate the time and space that reprocessing takes",
        body: bulkPlanRequest,
        response: { 200: reprocessingPlan },
      },
    },
    (request) => bulk.planReprocess(request.body.target),
  );

  app.get(
    "/api/admin/bulk/:id",
    {
      config: { policy: "content.read" },
      schema: {
        tags,
        summary: "Get the progress of a bulk action",
        params,
        response: { 200: bulkJob },
      },
    },
    (request) => bulk.get(request.params.id),
  );

  app.post(
    "/api/admin/bulk/:id/cancel",
    {
      config: { policy: "content.publish" },
      schema: {
        tags,
        summary: "Cancel a bulk action; finished changes are kept",
        params,
        response: { 200: bulkJob },
      },
    },
    (request) => bulk.cancel(request.params.id, actorOf(request)),
  );
}
