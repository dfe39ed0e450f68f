import type { FastifyInstance } from "fastify";
import { isAction } from "#contract/accounts/policy.ts";
import type { Visitors } from "../access/visitors.ts";
import type { WriteLimits } from "./write-limits.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Every write outside the back office counts, before its body is read. */
export function registerWriteLimits(
  app: FastifyInstance,
  deps: { limits: Pick<WriteLimits, "take">; visitors: Visitors },
): void {
  const { limits, visitors } = deps;
  app.addHook("onRequest", (request, _reply, done) => {
    if (safeMethods.has(request.method) || request.is404) return done();
    if (isAction(request.routeOptions.config.policy ?? "public")) return done();
    limits.take({
      visitorId: visitors.find(request),
      addressKey: visitors.addressKey(request),
    });
    done();
  });
}
