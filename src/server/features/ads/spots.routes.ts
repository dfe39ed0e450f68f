import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  adClicked,
  adCounted,
  adEventReport,
  adReport,
  fetchedDocuments,
  publicAdList,
  publicAdQuery,
} from "../../../contract/ads.ts";
import { limits } from "../../../contract/limits.ts";
import type { App } from "../../http/app.ts";
import type { Visitors } from "../../http/visitors.ts";
import { AppError } from "../../lib/app-error.ts";
import type { AdCounting, AdReport } from "./ad-counting.service.ts";
import { slugsOf, type AdDelivery } from "./ad-delivery.service.ts";
import { looksLikeRobot } from "./agent.ts";
import type { CallLimiter } from "./call-limiter.ts";
import type { TagChain } from "./tag-chain.ts";

const idParams = z.object({ id: z.string().min(1).max(100) });

export interface SpotDeps {
  delivery: AdDelivery;
  counting: AdCounting;
  visitors: Pick<Visitors, "find" | "ensure" | "addressKey">;
  followTag: TagChain;
  /** Calls of the VAST proxy per address: each makes the server call somebody. */
  proxyCalls: CallLimiter;
}

/**
 * What pages call. Twice: under the specified name, and under one that lists of ad blockers do not
 * know, which our own pages use.
 */
export function registerSpotRoutes(app: App, deps: SpotDeps): void {
  registerUnder(app, "/api/ads", deps);
  registerUnder(app, "/api/spots", deps);
}

function registerUnder(app: App, prefix: string, deps: SpotDeps): void {
  const { delivery, counting, visitors, followTag, proxyCalls } = deps;
  const tags = ["ads"];
  const config = { policy: "visitor" } as const;

  const report = (
    request: FastifyRequest,
    reply: FastifyReply,
    given: Pick<AdReport, "adId" | "event" | "serve" | "placement" | "turn">,
  ) =>
    counting.count({
      ...given,
      isSuspect: looksLikeRobot(request.headers["user-agent"]),
      visitorId: visitors.ensure(request, reply),
    });

  app.get(
    `${prefix}/public`,
    {
      config,
      schema: {
        tags,
        summary: "Ads to show: active, inside their dates, of the placement and type asked for",
        querystring: publicAdQuery,
        response: { 200: publicAdList },
      },
    },
    async (request, reply) => {
      const { placement, type, limit, category, device } = request.query;
      const { headers } = request;
      const hint = headers["sec-ch-ua-mobile"];
      void reply.header("cache-control", "no-store");
      return delivery.answer({
        placement: placement ?? null,
        types: type ?? null,
        limit: limit ?? limits.publicPageSize,
        categories: slugsOf(category),
        device: device ?? null,
        userAgent: headers["user-agent"],
        mobileHint: typeof hint === "string" ? hint : undefined,
        acceptLanguage: headers["accept-language"],
        visitorId: headers.cookie === undefined ? null : visitors.find(request),
      });
    },
  );

  app.post(
    `${prefix}/:id/impression`,
    {
      config,
      schema: {
        tags,
        summary: "Count one display",
        params: idParams,
        body: adReport,
        response: { 202: adCounted },
      },
    },
    async (request, reply) => {
      const given = { ...request.body, adId: request.params.id };
      const counted = await report(request, reply, { ...given, event: "impression" });
      return reply.status(202).send({ counted });
    },
  );

  app.post(
    `${prefix}/:id/click`,
    {
      config,
      schema: {
        tags,
        summary: "Count one click; answers where the ad leads",
        params: idParams,
        body: adReport,
        response: { 200: adClicked },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await report(request, reply, { ...request.body, adId: id, event: "click" });
      return { linkUrl: await delivery.findLink(id) };
    },
  );

  app.post(
    `${prefix}/:id/event`,
    {
      config,
      schema: {
        tags,
        summary: "Count what became of a display: viewable, quartiles, skip, error",
        params: idParams,
        body: adEventReport,
        response: { 202: adCounted },
      },
    },
    async (request, reply) => {
      const counted = await report(request, reply, { ...request.body, adId: request.params.id });
      return reply.status(202).send({ counted });
    },
  );

  app.get(
    `${prefix}/:id/documents`,
    {
      config,
      schema: {
        tags,
        summary: "The VAST documents of an ad, for browsers that may not fetch them",
        params: idParams,
        response: { 200: fetchedDocuments },
      },
    },
    async (request, reply) => {
      const live = await delivery.findLive(request.params.id);
      const url = live?.row.vast_tag_url ?? null;
      if (url === null || !/^https?:/i.test(url)) {
        throw new AppError("not_found", "This ad has no VAST tag");
      }
      proxyCalls.take(visitors.addressKey(request));
      const { headers } = request;
      const documents = await followTag(url, {
        ...(headers["user-agent"] === undefined ? {} : { "user-agent": headers["user-agent"] }),
        ...(headers["accept-language"] === undefined
          ? {}
          : { "accept-language": headers["accept-language"] }),
      });
      void reply.header("cache-control", "no-store");
      return { documents };
    },
  );
}
