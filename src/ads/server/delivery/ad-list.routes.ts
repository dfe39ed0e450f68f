import { adParams, adTargets, publicAdList, publicAdQuery } from "../../contract/ads.ts";
import { consentCookie, parseConsent } from "#contract/visitors/consent.ts";
import { limits } from "#contract/limits.ts";
import { readStopped, stoppedCookie } from "../../contract/stopped-ads.ts";
import type { App } from "#server/http/app.ts";
import { readCookie } from "#server/http/access/cookies.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { AdDelivery } from "./ad-delivery.service.ts";
import { canGetTrustedAds } from "./ad-policy.ts";

export function registerAdListRoutes(
  app: App,
  prefix: string,
  deps: {
    delivery: AdDelivery;
    visitors: Visitors;
    /** Header with the visitor's country, set by a proxy; null without one. */
    geoHeader: string | null;
  },
): void {
  app.get(
    `${prefix}/public`,
    {
      config: { policy: "visitor" },
      schema: {
        tags: ["ads"],
        summary:
          "List ads to show: active, within their dates, of the requested placement and type",
        querystring: publicAdQuery,
        response: { 200: publicAdList },
      },
    },
    async (request, reply) => {
      const { placement, type, limit, category, device, duration, sinceBreak } = request.query;
      const { headers } = request;
      const country = deps.geoHeader === null ? undefined : headers[deps.geoHeader];
      const hint = headers["sec-ch-ua-mobile"];
      const { origin = "site" } = request.query;
      // The serve token is bound to the visitor.
      const visitorId = deps.visitors.ensure(request, reply);
      void reply.header("cache-control", "no-store");
      const list = await deps.delivery.list({
        placement: placement ?? null,
        origin,
        types: origin === "embed" ? ["video"] : (type ?? null),
        limit: limit ?? limits.publicPageSize,
        only: request.query.only?.toLowerCase(),
        categories: slugsOf(category),
        tags: slugsOf(request.query.tag),
        beside: slugsOf(request.query.beside),
        country: typeof country === "string" ? country.trim().toUpperCase() : null,
        device: device ?? null,
        durationS: duration ?? null,
        sinceBreakS: sinceBreak ?? null,
        userAgent: headers["user-agent"],
        mobileHint: typeof hint === "string" ? hint : undefined,
        acceptLanguage: headers["accept-language"],
        stopped: new Set(readStopped(readCookie(headers.cookie, stoppedCookie) ?? "")),
        allowsTrusted:
          origin === "site" &&
          canGetTrustedAds(request, request.query.page) &&
          parseConsent(readCookie(headers.cookie, consentCookie)) === "yes",
        visitorId,
        addressGroup: deps.visitors.addressGroupKey(request),
      });
      return { ...list, visitor: deps.visitors.carriedBack(request, visitorId, origin) };
    },
  );

  app.get(
    `${prefix}/:id/targets`,
    {
      config: { policy: "public" },
      schema: {
        tags: ["ads"],
        summary: "Explain to a visitor why an ad is shown",
        params: adParams,
        response: { 200: adTargets },
      },
    },
    async (request, reply) => {
      const live = await deps.delivery.findLive(request.params.id);
      if (live === null) throw new AppError("not_found", "Ad not found");
      void reply.header("cache-control", "private, max-age=60");
      const { campaign } = live;
      return {
        devices: [...new Set([...live.targetDevices, ...(campaign?.targetDevices ?? [])])],
        languages: [...new Set([...live.targetLanguages, ...(campaign?.targetLanguages ?? [])])],
        categories: [...new Set([...live.targetCategories, ...(campaign?.targetCategories ?? [])])],
        tags: [...(campaign?.targetTags ?? [])],
        countries: [...(campaign?.targetCountries ?? [])],
        hasReferrals: (campaign?.targetReferrals.length ?? 0) > 0,
      };
    },
  );
}

const none: readonly string[] = [];

function slugsOf(list: string | undefined): readonly string[] {
  if (list === undefined) return none;
  return list
    .toLowerCase()
    .split(",")
    .map((slug) => slug.trim())
    .filter((slug) => slug !== "");
}
