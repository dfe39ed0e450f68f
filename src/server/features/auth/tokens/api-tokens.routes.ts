import { z } from "zod";
import {
  allApiTokens,
  apiTokenBody,
  apiTokens,
  createdApiToken,
} from "#contract/accounts/api-tokens.ts";
import type { App } from "#server/http/app.ts";
import { userOf } from "#server/http/access/policy.ts";
import { noBody } from "#server/http/openapi.ts";
import type { ApiTokensService } from "./api-tokens.service.ts";

const tags = ["account"];
const params = z.object({ id: z.string().min(1).max(200) });

/** Routes for the user's own API tokens. Owners can also manage the tokens of all users. */
export function registerApiTokenRoutes(app: App, deps: { tokens: ApiTokensService }): void {
  const { tokens } = deps;

  app.get(
    "/api/account/tokens",
    {
      config: { policy: "user" },
      schema: { tags, summary: "List your API tokens", response: { 200: apiTokens } },
    },
    (request) => tokens.list(userOf(request).id),
  );

  app.post(
    "/api/account/tokens",
    {
      config: { policy: "user", confirms: "tokens" },
      schema: {
        tags,
        summary: "Create an API token; it is shown once",
        body: apiTokenBody,
        response: { 201: createdApiToken },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await tokens.create(request.body, userOf(request), request.id)),
  );

  app.delete(
    "/api/account/tokens/:id",
    {
      config: { policy: "user", confirms: "tokens" },
      schema: { tags, summary: "Remove an API token", params, response: { 204: noBody } },
    },
    async (request, reply) => {
      await tokens.remove(request.params.id, "own", userOf(request), request.id);
      return reply.status(204).send();
    },
  );

  app.get(
    "/api/admin/tokens",
    {
      config: { policy: "tokens.manage" },
      schema: {
        tags: ["people"],
        summary: "List every user's API tokens",
        response: { 200: allApiTokens },
      },
    },
    () => tokens.listAll(),
  );

  app.delete(
    "/api/admin/tokens/:id",
    {
      config: { policy: "tokens.manage", confirms: "tokens" },
      schema: {
        tags: ["people"],
        summary: "Revoke any user's API token",
        params,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await tokens.remove(request.params.id, "every user", userOf(request), request.id);
      return reply.status(204).send();
    },
  );
}
