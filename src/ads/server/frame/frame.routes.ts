import { z } from "zod";
import { adParams } from "../../contract/ads.ts";
import { isPolicyOrigin, originLimits } from "../../contract/ad-origins.ts";
import { queryText } from "#contract/lists/paging.ts";
import { listScripts } from "../../contract/html-sources.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { AdDelivery } from "../delivery/ad-delivery.service.ts";
import { etagOf, frameDocument, frameHeaders, previewDocument } from "./ad-frame.ts";
import { canGetTrustedAds, type AdPolicy } from "../delivery/ad-policy.ts";
import { originsOfAd } from "../rules/origins-of-ad.ts";

const scriptParams = adParams.extend({ index: z.string().regex(/^\d{1,3}$/) });
/** Page that runs the script. */
const scriptQuery = z.object({ page: queryText(200) });

const previewQuery = z.object({
  /** Origins of the edited ad, separated by commas. */
  origins: z
    .string()
    .max(2 * originLimits.ad * originLimits.length)
    .default("")
    .transform((text) => text.split(",").filter((origin) => origin !== ""))
    .pipe(z.array(z.string().refine(isPolicyOrigin)).max(2 * originLimits.ad)),
});

/** Routes of ads' documents and scripts, the same for every visitor. */
export function registerFrameRoutes(
  app: App,
  deps: { delivery: AdDelivery; policy: AdPolicy },
): void {
  const { delivery, policy } = deps;
  const config = { policy: "public" } as const;

  app.get(
    "/spots/frame/:id",
    { config, schema: { hide: true, params: adParams } },
    async (request, reply) => {
      const live = await delivery.findLive(request.params.id);
      const content = live?.row.content ?? null;
      if (live === null || content === null) throw new AppError("not_found", "Ad not found");
      const html = frameDocument(content, live.row.link_url);
      const headers = frameHeaders(await policy.ofFrame(originsOfAd(live.row)));
      // The policy is part of the cached document.
      const etag = etagOf(headers["content-security-policy"] + html);
      void reply.headers({ ...headers, etag, "cache-control": "no-cache" });
      if (request.headers["if-none-match"]?.includes(etag) === true)
        return reply.status(304).send();
      return reply.send(html);
    },
  );

  app.get(
    "/spots/preview",
    { config, schema: { hide: true, querystring: previewQuery } },
    async (request, reply) =>
      reply
        .headers(frameHeaders(await policy.ofFrame(request.query.origins)))
        .header("cache-control", "no-cache")
        .send(previewDocument),
  );

  // The pages' policy forbids inline scripts, so those of trusted ads get a URL.
  app.get(
    "/spots/script/:id/:index",
    { config, schema: { hide: true, params: scriptParams, querystring: scriptQuery } },
    async (request, reply) => {
      // As a worker, it would go on running after its page was left.
      const { "sec-fetch-dest": destination = "script" } = request.headers;
      const isAllowed = destination === "script" && canGetTrustedAds(request, request.query.page);
      const live = isAllowed ? await delivery.findLive(request.params.id) : null;
      const content = live?.row.trust === "page" ? live.row.content : null;
      const script = listScripts(content ?? "")[Number(request.params.index)];
      if (script === undefined || script.src !== null) {
        throw new AppError("not_found", "Script not found");
      }
      return reply
        .type("text/javascript; charset=utf-8")
        .header("cache-control", "no-store")
        .send(script.code);
    },
  );
}
