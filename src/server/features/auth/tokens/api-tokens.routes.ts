import { z } from "zod";
import { apiTokenBody, apiTokens, createdApiToken } from "#contract/accounts/api-tokens.ts";
import type { App } from "#server/http/app.ts";
import { userOf } from "#server/http/access/policy.ts";
import type { ApiTokensService } from "./api-tokens.service.ts";

const tags = ["account"];
const params = z.object({ id: z.string().min(1).max(200) });

/** The API tokens of the own account. */
export function registerApiTokenRoutes(app: App, deps: { tokens: ApiTokensService }): void {
  const { tokens } = deps;

  app.get(
    "/api/account/tokens",
    {
      config: { policy: "user" },
      schema: { tags, summary: "The own API tokens", response: { 200: apiTokens } },
    },
    (request) => tokens.list(userOf(request).id),
  );

  app.post(
    "/api/account/tokens",
    {
      config: { policy: "user", needsPassword: true },
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
    { config: { policy: "user" }, schema: { tags, summary: "Remove an API token", params } },
    async (request, reply) => {
      await tokens.remove(request.params.id, userOf(request), request.id);
      return reply.status(204).send();
    },
  );
}
