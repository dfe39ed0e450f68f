import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature, App } from "#server/http/app.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import {
  labelInput,
  labelItem,
  labelList,
  labelKinds,
  labelPatch,
  type LabelKind,
} from "#contract/lists/labels.ts";
import { limits } from "#contract/limits.ts";
import { pageQuery } from "#contract/lists/paging.ts";
import { seriesInput, seriesMove, seriesOrder } from "#contract/lists/series.ts";
import { actorOf, viewerOf } from "#server/http/access/policy.ts";
import { noBody } from "#server/http/openapi.ts";
import { keepBodies, pictureRoute, withPicture } from "#server/http/picture-body.ts";
import { createLabelsService, type LabelsService } from "./labels.service.ts";
import { labelWords } from "./label-kinds.ts";

interface Deps {
  labels: LabelsService;
  storage: Storage;
}

const idParams = z.object({ id: z.string().min(1).max(200) });

/** Routes for categories, tags and actors. They all work the same way. */
function registerLabelRoutes(app: App, deps: Deps): void {
  const { labels } = deps;

  for (const kind of labelKinds) {
    const { entity } = labelWords[kind];
    const tags = [kind];

    app.get(
      `/api/${kind}`,
      {
        config: { policy: "public", cache: { ttlMs: 1000 } },
        schema: { tags, summary: `List all ${kind}`, response: { 200: labelList } },
      },
      (request) => labels.list(kind, viewerOf(request).isAdmin),
    );

    app.get(
      `/api/${kind}/:id`,
      {
        config: { policy: "public", cache: { ttlMs: 1000 } },
        schema: {
          tags,
          summary: `Get a ${entity} by ID or slug`,
          params: idParams,
          response: { 200: labelItem },
        },
      },
      (request) => labels.get(kind, request.params.id, viewerOf(request).isAdmin),
    );

    app.post(
      `/api/${kind}`,
      {
        config: { policy: "content.edit", isIdempotent: true },
        schema: {
          tags,
          summary: `Create a ${entity}`,
          body: labelInput,
          response: { 201: labelItem },
        },
      },
      async (request, reply) =>
        reply.status(201).send(await labels.create(kind, request.body, actorOf(request))),
    );

    app.put(
      `/api/${kind}/:id`,
      {
        config: { policy: "content.edit" },
        schema: {
          tags,
          summary: `Change a ${entity}; absent fields stay as they are`,
          params: idParams,
          body: labelPatch,
          response: { 200: labelItem },
        },
      },
      (request) => labels.update(kind, request.params.id, request.body, actorOf(request)),
    );

    app.post(
      `/api/${kind}/:id/merge`,
      {
        config: { policy: "content.edit" },
        schema: {
          tags,
          summary: `Merge a ${entity} into another one`,
          params: idParams,
          body: z.object({ into: z.string().min(1).max(200) }),
          response: { 200: labelItem },
        },
      },
      (request) => labels.merge(kind, request.params.id, request.body.into, actorOf(request)),
    );

    registerSeriesRoutes(app, deps, kind);
    registerPictureRoutes(app, deps, kind);

    app.delete(
      `/api/${kind}/:id`,
      {
        config: { policy: "content.remove" },
        schema: {
          tags,
          summary: `Delete a ${entity}`,
          params: idParams,
          response: { 204: noBody },
        },
      },
      async (request, reply) => {
        await labels.remove(kind, request.params.id, actorOf(request));
        return reply.status(204).send();
      },
    );
  }
}

/** The order of a series. */
function registerSeriesRoutes(app: App, { labels: { series } }: Deps, kind: LabelKind): void {
  const tags = [kind];
  const { entity } = labelWords[kind];

  app.get(
    `/api/${kind}/:id/series`,
    {
      config: { policy: "content.read" },
      schema: {
        tags,
        summary: `Get the videos of a ${entity} that is a series, in order, including drafts`,
        params: idParams,
        querystring: pageQuery,
        response: { 200: seriesOrder },
      },
    },
    (request) => {
      const { limit = limits.maxPageSize, offset = 0 } = request.query;
      return series.getOrder(kind, request.params.id, { limit, offset });
    },
  );

  app.put(
    `/api/${kind}/:id/series`,
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: `Sort the videos of a ${entity} that is a series; unlisted ones follow`,
        params: idParams,
        body: seriesInput,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await series.sort(kind, request.params.id, request.body.videoIds, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.post(
    `/api/${kind}/:id/series/moves`,
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: `Move a video of a ${entity} that is a series, behind another one or to a place`,
        params: idParams,
        body: seriesMove,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await series.move(kind, request.params.id, request.body, actorOf(request));
      return reply.status(204).send();
    },
  );
}

/** The body is the image itself. Its type is detected from the content, not from the header. */
function registerPictureRoutes(app: App, { labels, storage }: Deps, kind: LabelKind): void {
  const tags = [kind];
  const { entity } = labelWords[kind];

  void app.register(async (scope) => {
    keepBodies(scope);
    scope.withTypeProvider<ZodTypeProvider>().put(
      `/api/${kind}/:id/picture`,
      {
        ...pictureRoute,
        config: { ...pictureRoute.config, policy: "content.edit" },
        schema: {
          tags,
          summary: `Set the picture of a ${entity}; the body is the file`,
          params: idParams,
          response: { 200: labelItem },
        },
      },
      (request) =>
        withPicture(request, storage, (path) =>
          labels.setPicture(kind, request.params.id, path, actorOf(request)),
        ),
    );
  });

  app.delete(
    `/api/${kind}/:id/picture`,
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: `Delete the picture of a ${entity}`,
        params: idParams,
        response: { 200: labelItem },
      },
    },
    (request) => labels.setPicture(kind, request.params.id, null, actorOf(request)),
  );
}

/** Categories, tags and actors. */
export function createLabelsFeature(deps: {
  db: Db;
  storage: Storage;
  media: Media;
  changed: PublishChanges;
}): Feature & { labels: LabelsService } {
  const labels = createLabelsService(deps);
  return { labels, registerRoutes: (app) => registerLabelRoutes(app, { ...deps, labels }) };
}
