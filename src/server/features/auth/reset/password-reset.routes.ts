import { forgotBody, resetBody } from "#contract/accounts/account.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { PasswordResetService } from "./password-reset.service.ts";

const tags = ["auth"];

/** Routes for requesting and using a link to reset the password. */
export function registerPasswordResetRoutes(
  app: App,
  deps: { resets: PasswordResetService; visitors: Visitors },
): void {
  const { resets, visitors } = deps;

  app.post(
    "/api/auth/forgot",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "Request a link to reset the password",
        body: forgotBody,
        response: { 202: noBody },
      },
    },
    async (request, reply) => {
      const addressGroup = visitors.addressGroupKey(request);
      await resets.ask(request.body.email, visitors.addressKey(request), addressGroup);
      return reply.status(202).send();
    },
  );

  app.post(
    "/api/auth/reset",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "Set a new password with the link",
        body: resetBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      const from = { addressKey: visitors.addressKey(request), requestId: request.id };
      await resets.reset(request.body, from);
      return reply.status(204).send();
    },
  );
}
