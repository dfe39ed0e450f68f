import { publicAdList, publicAdQuery } from "../../../../contract/ads.ts";
import { limits } from "../../../../contract/limits.ts";
import type { App } from "../../../http/app.ts";
import { sendJsonText } from "../../../http/json-text.ts";
import type { Visitors } from "../../../http/access/visitors.ts";
import type { AdDelivery } from "./ad-delivery.service.ts";

export function registerAdListRoutes(
  app: App,
  prefix: string,
  deps: { delivery: Pick<AdDelivery, "listText">; visitors: Pick<Visitors, "ensure"> },
): void {
  app.get(
    `${prefix}/public`,
    {
      config: { policy: "visitor" },
      schema: {
        tags: ["ads"],
        summary: "Ads to show: active, inside their dates, of the placement and type asked for",
        querystring: publicAdQuery,
        response: { 200: publicAdList },
      },
    },
    async (request, reply) => {
      const { placement, type, limit, category, device } = request.query;
      const { headers } = request;
      const hint = headers["sec-ch-ua-mobile"];
      void reply.header("cache-control", "no-store");
      const text = await deps.delivery.listText({
        placement: placement ?? null,
        types: type ?? null,
        limit: limit ?? limits.publicPageSize,
        categories: slugsOf(category),
        device: device ?? null,
        userAgent: headers["user-agent"],
        mobileHint: typeof hint === "string" ? hint : undefined,
        acceptLanguage: headers["accept-language"],
        // The serve token is bound to the visitor.
        visitorId: deps.visitors.ensure(request, reply),
      });
      return sendJsonText(reply, text);
    },
  );
}

function slugsOf(list: string | undefined): string[] {
  return (list ?? "")
    .toLowerCase()
    .split(",")
    .map((slug) => slug.trim())
    .filter((slug) => slug !== "");
}
