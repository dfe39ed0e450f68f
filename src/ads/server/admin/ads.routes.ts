import {
  ad,
  adPicture,
  adList,
  adListQuery,
  adParams,
  adStats,
  adStatsQuery,
} from "../../contract/ads.ts";
import { adBody, adPatchBody } from "../../contract/ads.input.ts";
import type { FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { keepBodies, pictureRoute, withPicture } from "#server/http/picture-body.ts";
import type { Storage } from "#server/storage/storage.ts";
import { hasPermission, actorOf } from "#server/http/access/policy.ts";
import type { Db } from "#server/db/connection.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import type { Clock } from "#server/lib/clock.ts";
import { dayIn } from "../../contract/site-zone.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { readAdStats, readAdStatsCsv } from "../records/ad-stats.repository.ts";
import type { AdsService } from "./ads.service.ts";

const tags = ["ads"];
const statsDays = 30;

/** Returns whether the ad must wait for a user who may approve it. */
const isProposal = (request: FastifyRequest) => !hasPermission(request.user, "ads.approve");

const read = { policy: "ads.read" } as const;
const edit = { policy: "ads.edit" } as const;

interface AdRouteDeps {
  db: Db;
  clock: Clock;
  ads: AdsService;
  settings: SettingsService;
  storage: Storage;
}

/** Routes for managing ads in the back office. */
export function registerAdRoutes(app: App, deps: AdRouteDeps): void {
  const { ads } = deps;
  registerAdPictureRoute(app, deps);
  registerAdStatsRoutes(app, deps);

  app.get(
    "/api/ads",
    {
      config: read,
      schema: {
        tags,
        summary: "List all ads",
        querystring: adListQuery,
        response: { 200: adList },
      },
    },
    (request) => ads.list(request.query),
  );

  app.post(
    "/api/ads",
    {
      config: { ...edit, isIdempotent: true },
      schema: { tags, summary: "Create an ad", body: adBody, response: { 201: ad } },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(
          await ads.create(request.body, actorOf(request), { isProposal: isProposal(request) }),
        ),
  );

  app.get(
    "/api/ads/:id",
    {
      config: read,
      schema: { tags, summary: "Get an ad", params: adParams, response: { 200: ad } },
    },
    (request) => ads.get(request.params.id),
  );

  app.put(
    "/api/ads/:id",
    {
      config: edit,
      schema: {
        tags,
        summary: "Change an ad; absent fields stay as they are",
        params: adParams,
        body: adPatchBody,
        response: { 200: ad },
      },
    },
    (request) => ads.update(request.params.id, request.body, actorOf(request), isProposal(request)),
  );

  app.delete(
    "/api/ads/:id",
    {
      config: { policy: "ads.approve" },
      schema: {
        tags,
        summary: "Delete an ad and its statistics",
        params: adParams,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await ads.remove(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );
}

/** Pictures are uploaded separately, before the ad that shows them is saved. */
function registerAdPictureRoute(app: App, { ads, storage }: AdRouteDeps): void {
  void app.register(async (scope) => {
    keepBodies(scope);
    scope.withTypeProvider<ZodTypeProvider>().post(
      "/api/ads/pictures",
      {
        ...pictureRoute,
        config: { ...pictureRoute.config, ...edit },
        schema: {
          tags,
          summary:
            "Upload a picture for an ad; the body is the picture (JPEG, PNG or WebP, at most 5 MB)",
          consumes: ["image/jpeg", "image/png", "image/webp"],
          response: { 201: adPicture },
        },
      },
      async (request, reply) =>
        reply.status(201).send(await withPicture(request, storage, (path) => ads.addPicture(path))),
    );
  });
}

function registerAdStatsRoutes(app: App, { db, clock, ads, settings }: AdRouteDeps): void {
  app.get(
    "/api/ads/:id/stats",
    {
      config: read,
      schema: {
        tags,
        summary: "Get an ad's statistics by day and placement",
        params: adParams,
        querystring: adStatsQuery,
        response: { 200: adStats },
      },
    },
    async (request) => {
      const { id } = await ads.get(request.params.id);
      const { days = statsDays } = request.query;
      const { timeZone } = await settings.current();
      const stats = await readAdStats(db, id, days, dayIn(timeZone, clock.now()));
      return { timeZone, ...stats };
    },
  );

  app.get(
    "/api/ads/:id/stats.csv",
    {
      config: read,
      schema: {
        tags,
        summary: "Download an ad's statistics as CSV, one row per day and placement",
        params: adParams,
        querystring: adStatsQuery,
      },
    },
    async (request, reply) => {
      const { id } = await ads.get(request.params.id);
      const { days = statsDays } = request.query;
      const today = dayIn((await settings.current()).timeZone, clock.now());
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="statistics-${id}-${today}.csv"`)
        .header("cache-control", "no-store")
        .send(await readAdStatsCsv(db, id, days, today));
    },
  );
}
