import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ownPathOr } from "#contract/site/own-path.ts";
import type { PassView } from "#contract/visitors/passes.ts";
import type { Membership } from "#server/features/passes/membership.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { App } from "#server/http/app.ts";
import { targetOf } from "#server/http/request-target.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { SendPage } from "./pages.routes.ts";

const tags = ["members"];

const next = z
  .string()
  .max(2000)
  .default("/home")
  // The page must not lead back to itself.
  .transform((path) => (/^\/pass(?:[/?#]|$)/.test(path) ? "/home" : ownPathOr(path, "/home")));
const form = z.object({
  do: z.enum(["look", "use", "out", "leave"]).default("look"),
  code: z.string().min(1).max(100).optional(),
  device: z.uuid().optional(),
  replaced: z.uuid().optional(),
  next,
});

/**
 * Serves the page of a pass. Its forms work without scripts.
 * @param deps.sendPage null on a server without pages, which has no such page either.
 */
export function registerPassPage(
  app: App,
  deps: { membership: Membership; visitors: Visitors; sendPage: SendPage | null },
): void {
  const { membership, visitors } = deps;
  const sendPage: SendPage =
    deps.sendPage ??
    (async () => {
      throw new AppError("not_found", "There is nothing at this address.");
    });

  function send(request: FastifyRequest, reply: FastifyReply, pass: PassView) {
    // Without an origin, the server would refuse the page's own forms.
    void reply.headers({ vary: "Cookie", "referrer-policy": "same-origin" });
    return sendPage(request, reply, { pass });
  }

  app.get(
    "/pass",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Get the page of the pass that this device uses",
        querystring: z.object({ next }),
      },
    },
    async (request, reply) => {
      const pass = await membership.findOwn(request);
      // Scripts of the page's header read the cookies.
      if (pass === null) await membership.forgetEnded(request, reply);
      else membership.renewCookies(request, reply, pass.validUntil);
      return send(request, reply, { pass, code: null, problem: null, next: request.query.next });
    },
  );

  app.post(
    "/pass",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Look up a pass, use it on this device, or sign out one of its devices",
        body: form,
      },
    },
    async (request, reply) => {
      const { do: action, code = null, device, replaced = null, next: back } = request.body;
      if (action === "leave") {
        await membership.leave(request);
        membership.forget(request, reply);
        return reply.redirect(back, 303);
      }
      const find = () =>
        code === null
          ? membership.findOwn(request)
          : membership.findByCode(code, request, visitors.addressKey(request));
      const found = await find().catch((error: unknown) => {
        if (error instanceof AppError && error.code === "rate_limited") return "limited" as const;
        throw error;
      });
      if (found === null || found === "limited") {
        void reply.status(found === null ? 404 : 429);
        const problem = found ?? (code === null ? null : "unknown");
        return send(request, reply, { pass: null, code: null, problem, next: back });
      }
      const pass = found;
      if (action === "out" && device !== undefined) {
        await membership.signOut(pass, device);
        if (device === pass.ownDeviceId) membership.forget(request, reply);
        else if (code !== null) {
          return send(request, reply, { pass: await find(), code, problem: null, next: back });
        }
      }
      if (action === "use" && code !== null) {
        const asked = await membership.use(code, replaced, request, reply);
        if (asked !== null) {
          void reply.status(409);
          return send(request, reply, { pass: asked, code, problem: null, next: back });
        }
      }
      if (action !== "look") {
        // A reload must not repeat it.
        const path = targetOf(request.raw).fullUrl.split("?", 1)[0] ?? "/pass";
        return reply.redirect(`${path}?next=${encodeURIComponent(back)}`, 303);
      }
      return send(request, reply, { pass, code, problem: null, next: back });
    },
  );
}
