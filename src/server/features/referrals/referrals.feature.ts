import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature, App } from "#server/http/app.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import { queryInt, queryText } from "#contract/lists/paging.ts";
import {
  referral,
  referralList,
  referralInput,
  referralPatch,
  referralStats,
  visitBody,
} from "#contract/visitors/referrals.ts";
import { actorOf } from "#server/http/access/policy.ts";
import { noBody } from "#server/http/openapi.ts";
import { createViewCap, type ViewCap } from "../engagement/view-cap.ts";
import { createReferralsService, type ReferralsService } from "./referrals.service.ts";

const params = z.object({ id: z.string().min(1).max(100) });
const daysQuery = z.object({ days: queryInt(1, 366) });
const tags = ["referrals"];
const defaultDays = 30;

function registerReferralRoutes(
  app: App,
  deps: { referrals: ReferralsService; visitors: Visitors; cap: ViewCap },
): void {
  const { referrals } = deps;
  registerVisitRoute(app, deps);

  app.get(
    "/api/referrals",
    {
      config: { policy: "referrals.read" },
      schema: {
        tags,
        summary: "List all referral links with their totals",
        querystring: z.object({ search: queryText() }),
        response: { 200: referralList },
      },
    },
    (request) => referrals.list(request.query.search),
  );

  app.post(
    "/api/referrals",
    {
      config: { policy: "referrals.edit", isIdempotent: true },
      schema: {
        tags,
        summary: "Create a referral link",
        body: referralInput,
        response: { 201: referral },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await referrals.create(request.body, actorOf(request))),
  );

  app.put(
    "/api/referrals/:id",
    {
      config: { policy: "referrals.edit" },
      schema: {
        tags,
        summary: "Change a referral link; absent fields stay as they are",
        params,
        body: referralPatch,
        response: { 200: referral },
      },
    },
    (request) => referrals.update(request.params.id, request.body, actorOf(request)),
  );

  app.delete(
    "/api/referrals/:id",
    {
      config: { policy: "referrals.edit" },
      schema: {
        tags,
        summary: "Delete a referral link and its counts",
        params,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await referrals.remove(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.get(
    "/api/referrals/:id/stats",
    {
      config: { policy: "referrals.read" },
      schema: {
        tags,
        summary: "Get visits, unique visitors and plays by day",
        params,
        querystring: daysQuery,
        response: { 200: referralStats },
      },
    },
    (request) => referrals.stats(request.params.id, request.query.days ?? defaultDays),
  );

  app.get(
    "/api/referrals/:id/stats.csv",
    {
      config: { policy: "referrals.read" },
      schema: {
        tags,
        summary: "Download a referral link's statistics as CSV",
        params,
        querystring: daysQuery,
      },
    },
    async (request, reply) => {
      const { days } = await referrals.stats(request.params.id, request.query.days ?? defaultDays);
      const lines = days.map((d) => [d.day, d.visits, d.uniqueVisitors, d.plays].join(","));
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", 'attachment; filename="referral.csv"')
        .header("cache-control", "no-store")
        .send(`${["day,visits,unique_visitors,plays", ...lines].join("\r\n")}\r\n`);
    },
  );
}

/**
 * Registers the route to which browsers report referral links. The server can't count them itself,
 * because cached pages are the same for everyone.
 */
function registerVisitRoute(
  app: App,
  { referrals, visitors, cap }: Parameters<typeof registerReferralRoutes>[1],
): void {
  app.post(
    "/api/visits",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Record which referral link a visitor came through",
        body: visitBody,
        response: { 202: z.object({ counted: z.boolean() }) },
      },
    },
    async (request, reply) => {
      const { ref } = request.body;
      // A client without the cookie is a new visitor each time, so visits are also limited per address.
      const counted =
        cap.take(visitors.addressKey(request), ref) &&
        (await referrals.visit(ref, visitors.ensure(request, reply)));
      return reply.status(202).send({ counted });
    },
  );
}

export function createReferralsFeature(deps: {
  db: Db;
  clock: Clock;
  config: Config;
  visitors: Visitors;
  changed: PublishChanges;
}): Feature & { referrals: ReferralsService } {
  const referrals = createReferralsService(deps);
  const cap = createViewCap(deps.clock, deps.config.webProcesses);
  return {
    referrals,
    registerRoutes: (app) => registerReferralRoutes(app, { ...deps, referrals, cap }),
  };
}
