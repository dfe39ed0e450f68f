import type { FastifyReply, FastifyRequest } from "fastify";
import { adClicked, adCounted, adEventReport, adParams, adReport } from "../../contract/ads.ts";
import type { App } from "#server/http/app.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { AdCounting, AdReport } from "./ad-counting.service.ts";

type ReportBody = Pick<AdReport, "serve" | "placement" | "origin">;

export function registerAdCountingRoutes(
  app: App,
  prefix: string,
  deps: {
    counting: AdCounting;
    /** Returns the link of an ad, live or not. */
    findLink(id: string): Promise<string | null>;
    visitors: Visitors;
  },
): void {
  const { counting, findLink, visitors } = deps;
  const tags = ["ads"];
  const config = { policy: "visitor" } as const;

  function count(
    request: FastifyRequest,
    reply: FastifyReply,
    target: Pick<AdReport, "adId" | "event" | "cause">,
    body: ReportBody | null | undefined,
  ): Promise<boolean> {
    return counting.count({
      ...target,
      serve: body?.serve,
      placement: body?.placement,
      origin: body?.origin,
      isRobot: looksLikeRobot(request.headers["user-agent"]),
      visitorId: visitors.ensure(request, reply),
      addressKey: visitors.addressKey(request),
      addressGroup: visitors.addressGroupKey(request),
    });
  }

  app.post(
    `${prefix}/:id/impression`,
    {
      config,
      schema: {
        tags,
        summary: "Count one impression: verified with a serve token, within bounds without one",
        params: adParams,
        body: adReport,
        response: { 202: adCounted },
      },
    },
    async (request, reply) => {
      const target = { adId: request.params.id, event: "impression" } as const;
      const counted = await count(request, reply, target, request.body);
      return reply.status(202).send({ counted });
    },
  );

  app.post(
    `${prefix}/:id/click`,
    {
      config,
      schema: {
        tags,
        summary: "Count one click and return the link of the ad",
        params: adParams,
        body: adReport,
        response: { 200: adClicked },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await count(request, reply, { adId: id, event: "click" }, request.body);
      return { linkUrl: await findLink(id) };
    },
  );

  app.post(
    `${prefix}/:id/event`,
    {
      config,
      schema: {
        tags,
        summary: "Count a later event of a verified impression: viewable, quartile, skip or error",
        params: adParams,
        body: adEventReport,
        response: { 202: adCounted },
      },
    },
    async (request, reply) => {
      const { event, cause = "other" } = request.body;
      const target = { adId: request.params.id, event, cause };
      const counted = await count(request, reply, target, request.body);
      return reply.status(202).send({ counted });
    },
  );
}
