import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { defineJob } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { AdsFeature } from "#ads/server/ads.feature.ts";
import type { Membership } from "#server/features/passes/membership.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { consentCookie } from "#contract/visitors/consent.ts";
import { passCookie, passUntilCookie } from "#contract/visitors/pass-cookies.ts";
import { forgotten, privacyFacts } from "#contract/visitors/privacy.ts";
import { stoppedCookie } from "#ads/contract/stopped-ads.ts";
import { pageForSender } from "#server/http/page-language.ts";
import type { Feature, App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isFormPost } from "#server/features/auth/form-post.ts";
import { ageCookie } from "#server/features/restrictions/restrictions.service.ts";
import { deleteOutdated } from "./privacy.repository.ts";
import { createPrivacyService, type PrivacyService } from "./privacy.service.ts";

/** Cookies that browsers store for a visitor, except those of signed-in users. */
const visitorCookies = [
  ...["visitor", ageCookie, stoppedCookie, consentCookie],
  ...[passCookie, passUntilCookie],
];

function registerPrivacyRoutes(
  app: App,
  deps: { privacy: PrivacyService; visitors: Visitors; membership: Membership },
): void {
  const { privacy, visitors, membership } = deps;

  app.get(
    "/api/privacy",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags: ["privacy"],
        summary: "Get what this site stores about visitors, as far as it depends on its settings",
        response: { 200: privacyFacts },
      },
    },
    () => privacy.describe(),
  );

  // Also receives the privacy page's form without scripts.
  app.post(
    "/api/forget",
    {
      config: { policy: "visitor" },
      schema: {
        tags: ["privacy"],
        summary: "Delete the visitor's cookies and everything stored under them",
        response: { 200: forgotten },
      },
    },
    async (request, reply) => {
      const visitorId = visitors.find(request);
      const page = pageForSender(request, "/privacy");
      try {
        const stored =
          visitorId === null ? 0 : await privacy.forget(visitorId, visitors.addressKey(request));
        const deleted = stored + (await membership.leave(request));
        const secure = request.protocol === "https" ? "; Secure" : "";
        const ended = visitorCookies.map(
          (name) => `${name}=; Path=/; Max-Age=0; SameSite=Lax${secure}`,
        );
        void reply.headers({ "set-cookie": ended, "cache-control": "no-store" });
        if (isFormPost(request)) {
          // No script runs, or none had loaded when the visitor pressed.
          void reply.header("clear-site-data", '"storage"');
          return await reply.redirect(`${page}?forgotten=1`, 303);
        }
        return { deleted };
      } catch (error) {
        if (!isFormPost(request) || !(error instanceof AppError)) throw error;
        return reply.redirect(`${page}?error=1`, 303);
      }
    },
  );
}

/** Stored data about visitors, and their choices about it. */
export function createPrivacyFeature(deps: {
  db: Db;
  clock: Clock;
  config: Config;
  mailer: { isConfigured: boolean };
  visitors: Visitors;
  settings: SettingsService;
  ads: AdsFeature;
  membership: Membership;
}): Feature & { privacy: PrivacyService } {
  const privacy = createPrivacyService(deps);
  const { db, clock } = deps;
  return {
    privacy,
    registerRoutes: (app) => registerPrivacyRoutes(app, { ...deps, privacy }),
    jobs: [
      defineJob({
        name: "privacy.delete-outdated",
        payload: z.object({}),
        concurrency: 1,
        schedule: { cron: "41 * * * *" },
        run: () => deleteOutdated(db, clock.date()),
      }),
    ],
  };
}
