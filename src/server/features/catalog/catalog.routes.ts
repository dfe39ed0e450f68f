import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import {
  taxonomyInput,
  taxonomyItem,
  taxonomyList,
  taxonomyKinds,
  taxonomyPatch,
  type TaxonomyKind,
} from "#contract/taxonomy.ts";
import { actorOf } from "#server/http/access/actor.ts";
import type { App } from "#server/http/app.ts";
import { viewerOf } from "#server/http/access/viewer.ts";
import { keepBodies, pictureRoute, withPicture } from "#server/http/picture-body.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { CatalogService } from "./catalog.service.ts";
import { labelWords } from "./label-words.ts";

interface Deps {
  catalog: CatalogService;
  storage: Storage;
}

const idParams = z.object({ id: z.string().min(1).max(200) });

/** Categories, tags and actors: the same calls under three names. */
export function registerCatalogRoutes(app: App, deps: Deps): void {
  const { catalog } = deps;

  for (const kind of taxonomyKinds) {
    const { entity } = labelWords[kind];
    const tags = [kind];

    app.get(
      `/api/${kind}`,
      {
        config: { policy: "public", cache: { ttlMs: 1000 } },
        schema: { tags, summary: `All ${kind}`, response: { 200: taxonomyList } },
      },
      (request) => catalog.list(kind, viewerOf(request).isAdmin),
    );

    app.get(
      `/api/${kind}/:id`,
      {
        config: { policy: "public", cache: { ttlMs: 1000 } },
        schema: {
          tags,
          summary: `One ${entity} by id or slug`,
          params: idParams,
          response: { 200: taxonomyItem },
        },
      },
      (request) => catalog.get(kind, request.params.id, viewerOf(request).isAdmin),
    );

    app.post(
      `/api/${kind}`,
      {
        config: { policy: "content.edit" },
        schema: {
          tags,
          summary: `Create a ${entity}`,
          body: taxonomyInput,
          response: { 201: taxonomyItem },
        },
      },
      async (request, reply) =>
        reply.status(201).send(await catalog.create(kind, request.body, actorOf(request))),
    );

    app.put(
      `/api/${kind}/:id`,
      {
        config: { policy: "content.edit" },
        schema: {
          tags,
          summary: `Change a ${entity}; absent fields stay as they are`,
          params: idParams,
          body: taxonomyPatch,
          response: { 200: taxonomyItem },
        },
      },
      (request) => catalog.update(kind, request.params.id, request.body, actorOf(request)),
    );

    app.post(
      `/api/${kind}/:id/merge`,
      {
        config: { policy: "content.edit" },
        schema: {
          tags,
          summary: `Move everything of a ${entity} to another one and delete it`,
          params: idParams,
          body: z.object({ into: z.string().min(1).max(200) }),
          response: { 200: taxonomyItem },
        },
      },
      (request) => catalog.merge(kind, request.params.id, request.body.into, actorOf(request)),
    );

    registerPictureRoutes(app, deps, kind);

    app.delete(
      `/api/${kind}/:id`,
      {
        config: { policy: "content.remove" },
        schema: { tags, summary: `Delete a ${entity}`, params: idParams },
      },
      async (request, reply) => {
        await catalog.remove(kind, request.params.id, actorOf(request));
        return reply.status(204).send();
      },
    );
  }
}

/** The body is the image itself, of any declared type; its bytes decide. */
function registerPictureRoutes(app: App, { catalog, storage }: Deps, kind: TaxonomyKind): void {
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
          summary: `Give a ${entity} a picture (the body is the file)`,
          params: idParams,
          response: { 200: taxonomyItem },
        },
      },
      (request) =>
        withPicture(request.body, storage, (path) =>
          catalog.setPicture(kind, request.params.id, path, actorOf(request)),
        ),
    );
  });

  app.delete(
    `/api/${kind}/:id/picture`,
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: `Take the picture of a ${entity} away`,
        params: idParams,
        response: { 200: taxonomyItem },
      },
    },
    (request) => catalog.setPicture(kind, request.params.id, null, actorOf(request)),
  );
}
