import { z } from "zod";
import { ownPathOr } from "#contract/site/own-path.ts";
import { splitLanguage } from "#contract/site/translated-pages.ts";
import type { Config } from "#server/config.ts";
import { concerns } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { HttpCore, App, Feature } from "#server/http/app.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import {
  createRestrictionsService,
  ageCookie,
  type RestrictionsService,
} from "./restrictions.service.ts";
import { simplePagePolicy, tooYoungPage } from "./age-page.ts";

const oneYearS = 365 * 24 * 3600;

/** Stores the confirmation from the age page, whose form works without scripts. */
function registerAgeRoute(app: App, { restrictions }: { restrictions: RestrictionsService }): void {
  app.post(
    "/api/age",
    {
      config: { policy: "public" },
      schema: {
        tags: ["age"],
        summary: "Confirm whether the visitor is 18 or older, and return to a page",
        body: z.object({ adult: z.enum(["yes", "no"]), next: z.string().max(8000).default("/") }),
      },
    },
    async (request, reply) => {
      const next = ownPathOr(request.body.next, "/");
      if (request.body.adult === "no") {
        return reply
          .headers({
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": simplePagePolicy(restrictions.framedBy(next)),
            "cache-control": "no-store",
          })
          .send(tooYoungPage(restrictions.simplePage(request.raw, next)));
      }
      // In another site's frame, browsers only accept a partitioned cookie.
      const isEmbed = splitLanguage(next).url.startsWith("/embed/");
      const isFramed = isEmbed && request.protocol === "https";
      const place = isFramed ? "SameSite=None; Partitioned" : "SameSite=Lax";
      const secure = request.protocol === "https" ? "; Secure" : "";
      const cookie = `${ageCookie}=1; Path=/; Max-Age=${oneYearS}; HttpOnly; ${place}${secure}`;
      return reply.header("set-cookie", cookie).redirect(next, 303);
    },
  );
}

export interface RestrictionsFeature extends Feature {
  restrictions: RestrictionsService;
}

/** Milliseconds after which a failed reload of the rules is repeated. */
const retryAfterMs = 2000;

/** Restricts who may see the site or a video, by age and country. */
export function createRestrictionsFeature(deps: {
  db: Db;
  logger: Logger;
  http: HttpCore;
  config: Config;
  settings: SettingsService;
}): RestrictionsFeature {
  const { logger, http, config } = deps;
  const restrictions = createRestrictionsService({ ...deps, geoHeader: config.geoHeader });
  let retry: NodeJS.Timeout | undefined;

  function reload(): void {
    clearTimeout(retry);
    restrictions.refresh().catch((error: unknown) => {
      warnLimited(logger, "restrictions", { err: error }, "couldn't reload age and country rules");
      retry = setTimeout(reload, retryAfterMs).unref();
    });
  }

  return {
    restrictions,
    async start() {
      await restrictions.refresh();
      http.screenRequests(restrictions);
    },
    registerRoutes: (app) => registerAgeRoute(app, { restrictions }),
    invalidate(changes) {
      const isAffected =
        concerns(changes, "settings") ||
        (changes !== "everything" && [...changes].some((tag) => tag.startsWith("video:")));
      if (isAffected) reload();
    },
  };
}
