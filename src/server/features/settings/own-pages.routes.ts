import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { ownPageInput, ownPageOrder, ownPagePreview } from "#contract/site/own-pages.input.ts";
import { ownPage, ownPageHtml, ownPageList, ownPagePicture } from "#contract/site/own-pages.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import { keepBodies, pictureRoute, withPicture } from "#server/http/picture-body.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { OwnPagesService } from "./own-pages.service.ts";

/** Routes of the operator's pages. */
export function registerOwnPageRoutes(
  app: App,
  { ownPages, storage }: { ownPages: OwnPagesService; storage: Storage },
): void {
  const config = { policy: "settings.edit" } as const;
  const tags = ["settings"];
  const params = z.object({ id: z.uuid() });

  app.get(
    "/api/admin/pages",
    {
      config,
      schema: { tags, summary: "List the operator's pages", response: { 200: ownPageList } },
    },
    async () => ({ pages: await ownPages.list() }),
  );

  app.post(
    "/api/admin/pages",
    {
      config,
      schema: { tags, summary: "Create a page", body: ownPageInput, response: { 201: ownPage } },
    },
    async (request, reply) =>
      reply.status(201).send(await ownPages.save(null, request.body, actorOf(request))),
  );

  app.put(
    "/api/admin/pages/order",
    {
      config,
      schema: {
        tags,
        summary: "Set the order of the pages in menu and footer",
        body: ownPageOrder,
        response: { 200: ownPageList },
      },
    },
    async (request) => ({ pages: await ownPages.order(request.body.ids, actorOf(request)) }),
  );

  app.post(
    "/api/admin/pages/preview",
    {
      config,
      schema: {
        tags,
        summary: "Convert Markdown to the HTML that visitors would get",
        body: ownPagePreview,
        response: { 200: ownPageHtml },
      },
    },
    async (request) => ({ html: await ownPages.preview(request.body.markdown) }),
  );

  app.put(
    "/api/admin/pages/:id",
    {
      config,
      schema: {
        tags,
        summary: "Change a page",
        params,
        body: ownPageInput,
        response: { 200: ownPage },
      },
    },
    (request) => ownPages.save(request.params.id, request.body, actorOf(request)),
  );

  app.delete(
    "/api/admin/pages/:id",
    { config, schema: { tags, summary: "Delete a page", params, response: { 204: noBody } } },
    async (request, reply) => {
      await ownPages.remove(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  void app.register(async (scope) => {
    keepBodies(scope);
    scope.withTypeProvider<ZodTypeProvider>().post(
      "/api/admin/pages/pictures",
      {
        ...pictureRoute,
        config: { ...pictureRoute.config, ...config },
        schema: {
          tags,
          summary:
            "Upload a picture for a page; the body is the picture (JPEG, PNG or WebP, at most 5 MB)",
          consumes: ["image/jpeg", "image/png", "image/webp"],
          response: { 201: ownPagePicture },
        },
      },
      async (request, reply) =>
        reply
          .status(201)
          .send(await withPicture(request, storage, (path) => ownPages.addPicture(path))),
    );
  });
}
