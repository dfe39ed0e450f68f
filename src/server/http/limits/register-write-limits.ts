import type { FastifyInstance } from "fastify";
import type { Visitors } from "../access/visitors.ts";
import type { WriteLimits } from "./write-limits.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Every write that needs no administrator counts, before its body is read. */
export function registerWriteLimits(
  app: FastifyInstance,
  deps: { limits: Pick<WriteLimits, "take">; visitors: Visitors },
): void {
  const { limits, visitors } = deps;
  app.addHook("onRequest", (request, _reply, done) => {
    if (safeMethods.has(request.method) || request.is404) return done();
    if (request.routeOptions.config.policy === "admin") return done();
    limits.take({
      visitorId: visitors.find(request),
      addressKey: visitors.addressKey(request),
    });
    done();
  });
}
