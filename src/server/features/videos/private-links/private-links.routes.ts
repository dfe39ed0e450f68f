import { privateLink, privateLinkBody, privateLinkParams } from "#contract/videos/admin-videos.ts";
import { video, videoParams as params } from "#contract/videos/videos.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import type { PrivateLinksService } from "./private-links.service.ts";

export function registerPrivateLinkRoutes(
  app: App,
  { privateLinks }: { privateLinks: PrivateLinksService },
): void {
  const tags = ["admin videos"];
  const path = "/api/admin/videos/:id/link";

  app.get(
    "/api/private/:secret",
    {
      config: { policy: "public" },
      schema: {
        tags: ["videos"],
        summary: "Get a private video by its secret URL",
        params: privateLinkParams,
        response: { 200: video },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "private, no-store");
      return privateLinks.get(request.params.secret);
    },
  );

  app.get(
    path,
    {
      config: { policy: "content.edit" },
      schema: { tags, summary: "Get the secret URL", params, response: { 200: privateLink } },
    },
    (request) => privateLinks.read(request.params.id),
  );

  app.put(
    path,
    {
      config: { policy: "content.edit" },
      schema: {
        tags,
        summary: "Create a new secret URL; the previous one stops working",
        params,
        body: privateLinkBody,
        response: { 200: privateLink },
      },
    },
    (request) => privateLinks.renew(request.params.id, request.body, actorOf(request)),
  );

  app.delete(
    path,
    {
      config: { policy: "content.edit" },
      schema: { tags, summary: "Delete the secret URL", params, response: { 204: noBody } },
    },
    async (request, reply) => {
      await privateLinks.remove(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );
}
