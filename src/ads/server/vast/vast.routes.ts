import type { App } from "#server/http/app.ts";
import { ownOrigin } from "#server/http/access/same-origin.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { adParams, documentsQuery, fetchedDocuments, vastTestBody } from "../../contract/ads.ts";
import type { AdDelivery } from "../delivery/ad-delivery.service.ts";
import type { TagChain } from "./tag-chain.ts";

const windowMs = 60_000;
const maxKeys = 50_000;

/**
 * Counts in memory, per process. That is enough to prevent others from using this process to flood
 * other servers.
 */
export function createCallLimiter(perMinute: number, clock: Clock) {
  let counts = new Map<string, number>();
  let startedAt = clock.now();

  return {
    /** @throws AppError rate_limited. */
    take(key: string): void {
      const now = clock.now();
      if (now - startedAt >= windowMs || counts.size > maxKeys) {
        counts = new Map();
        startedAt = now;
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > perMinute) {
        const retryAfterS = Math.max(1, (startedAt + windowMs - now) / 1000);
        throw new AppError("rate_limited", "Too many requests. Try again in a minute.", {
          retryAfterS,
        });
      }
    },
  };
}

/** Limiter of calls per key and minute. */
type CallLimiter = ReturnType<typeof createCallLimiter>;

/** Serves the VAST documents of a live ad to a browser that isn't allowed to fetch them itself. */
export function registerVastRoutes(
  app: App,
  prefix: string,
  deps: {
    delivery: AdDelivery;
    visitors: Visitors;
    followTag: TagChain;
    /**
     * Limits this route per address, because each call makes the server fetch from other servers.
     */
    limiter: CallLimiter;
  },
): void {
  const { delivery, visitors, followTag, limiter } = deps;
  app.get(
    `${prefix}/:id/documents`,
    {
      config: { policy: "visitor" },
      schema: {
        tags: ["ads"],
        summary: "Get an ad's VAST documents, for browsers that can't fetch them",
        params: adParams,
        querystring: documentsQuery,
        response: { 200: fetchedDocuments },
      },
    },
    async (request, reply) => {
      const live = await delivery.findLive(request.params.id);
      const url = live?.row.vast_tag_url ?? null;
      if (url === null || !/^https?:/i.test(url)) {
        throw new AppError("not_found", "This ad doesn't have a VAST tag.");
      }
      limiter.take(visitors.addressKey(request));
      const { headers } = request;
      const passedOn = {
        ...(headers["user-agent"] === undefined ? {} : { "user-agent": headers["user-agent"] }),
        ...(headers["accept-language"] === undefined
          ? {}
          : { "accept-language": headers["accept-language"] }),
      };
      const page = URL.parse(headers.referer ?? "");
      const pageUrl = page?.origin === ownOrigin(request) ? page.href : undefined;
      const documents = await followTag(url, passedOn, { ...request.query, pageUrl });
      void reply.header("cache-control", "no-store");
      return { documents };
    },
  );
}

/** Serves the back office's tester for any tag, saved or not. */
export function registerVastTestRoutes(app: App, deps: { followTag: TagChain }): void {
  app.post(
    "/api/ads/vast-test",
    {
      config: { policy: "ads.edit" },
      schema: {
        tags: ["ads"],
        summary: "Fetch a VAST tag and the documents its wrappers link to",
        body: vastTestBody,
        response: { 200: fetchedDocuments },
      },
    },
    async (request) => ({ documents: await deps.followTag(request.body.url) }),
  );
}
