import rateLimit, { type RateLimitOptions } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#server/lib/app-error.ts";
import { actionsOf } from "../access/policy.ts";
import type { Visitors } from "../access/visitors.ts";

/**
 * Maximum number of writes per minute. A busy player sends 40, and an office of many visitors
 * shares one address.
 */
export const writesPerVisitor = 240;
export const writesPerAddress = 1200;

/** Maximum number of callers counted. Beyond it, the count of the longest idle callers restarts. */
const maxCounted = 50_000;

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Limits writes outside the back office by visitor and by address, before reading their bodies.
 * Each web process counts separately, so a caller connected to several processes may write more.
 */
export async function registerWriteLimits(
  app: FastifyInstance,
  { visitors }: { visitors: Visitors },
): Promise<void> {
  await app.register(rateLimit, { global: false });
  function limitBy(max: number, keyGenerator: (request: FastifyRequest) => string) {
    const options: RateLimitOptions = { max, keyGenerator, timeWindow: 60_000, cache: maxCounted };
    return app.createRateLimit(options);
  }
  const byAddress = limitBy(writesPerAddress, (request) => visitors.addressKey(request));
  const byVisitor = limitBy(writesPerVisitor, (request) => visitors.find(request) ?? "");

  app.addHook("onRequest", async (request) => {
    if (safeMethods.has(request.method) || request.is404) return;
    if (actionsOf(request.routeOptions.config.policy).length > 0) return;
    const counts = [await byAddress(request)];
    if (visitors.find(request) !== null) counts.push(await byVisitor(request));
    const exceeded = counts.find((count) => !count.isAllowed && count.isExceeded);
    if (exceeded === undefined || exceeded.isAllowed) return;
    throw new AppError("rate_limited", "Too many requests. Try again in a minute.", {
      retryAfterS: exceeded.ttlInSeconds,
    });
  });
}
