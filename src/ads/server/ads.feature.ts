import type { KeyObject } from "node:crypto";
import { concerns, type PublishChanges } from "#server/db/change-tags.ts";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Metrics } from "#server/lib/metrics/metrics.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { Feature, App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { AdSlotInfo } from "../contract/ads.ts";
import { registerAdRoutes } from "./admin/ads.routes.ts";
import { createAdsService, type AdsService } from "./admin/ads.service.ts";
import { registerAdReportRoutes } from "./reports/ad-report.routes.ts";
import { createAdReports } from "./reports/ad-report.service.ts";
import { registerCampaignRoutes } from "./campaigns/campaigns.routes.ts";
import { createCampaignsService } from "./campaigns/campaigns.service.ts";
import { registerAdCountingRoutes } from "./counting/ad-counting.routes.ts";
import { createAdCounting, type AdCounting } from "./counting/ad-counting.service.ts";
import { createRequestCounter } from "./counting/request-counter.ts";
import { createServeTokens } from "./serves/serve-token.ts";
import { createAdReservations } from "./serves/ad-reservations.ts";
import { createAdDelivery } from "./delivery/ad-delivery.service.ts";
import { createAdDirectory, runsInPage, hostsOfAd } from "./delivery/ad-directory.ts";
import { registerAdListRoutes } from "./delivery/ad-list.routes.ts";
import { createAdPolicy } from "./delivery/ad-policy.ts";
import { registerFrameRoutes } from "./frame/frame.routes.ts";
import { createGuardedFetch } from "./vast/guarded-fetch.ts";
import { createTagChain } from "./vast/tag-chain.ts";
import {
  createCallLimiter,
  registerVastRoutes,
  registerVastTestRoutes,
} from "./vast/vast.routes.ts";

const files = {
  "/ads.txt": { field: "adsTxt", type: "text/plain; charset=utf-8" },
  "/app-ads.txt": { field: "appAdsTxt", type: "text/plain; charset=utf-8" },
  "/sellers.json": { field: "sellersJson", type: "application/json; charset=utf-8" },
} as const satisfies Record<
  string,
  { field: "adsTxt" | "appAdsTxt" | "sellersJson"; type: string }
>;

/** Serves the files that list the authorised sellers of this site's advertising space. */
function registerSellerFiles(app: App, deps: { settings: SettingsService }): void {
  for (const [path, { field, type }] of Object.entries(files)) {
    app.get(
      path,
      { config: { policy: "public", cache: { ttlMs: 60_000 } }, schema: { hide: true } },
      async (_request, reply) => {
        const text = (await deps.settings.current())[field];
        if (text === null) throw new AppError("not_found", "There is nothing at this address.");
        return reply.type(type).send(text);
      },
    );
  }
}

export interface AdsFeature extends Feature {
  ads: AdsService;
  counting: AdCounting;
  /** Returns the slots with current ads, so that pages reserve their space. */
  listSlots(): Promise<AdSlotInfo[]>;
  /** Returns the origins of trusted ads' scripts and frames, for the pages' policy. */
  pageOrigins(): Promise<readonly string[]>;
  /** Returns facts about current and future ads for the privacy page. */
  describe(): Promise<{ hasAds: boolean; hasTrustedAds: boolean; adHosts: string[] }>;
}

/** Maximum number of calls per minute and address to the VAST proxy. */
const proxyCallsPerMinute = 30;
/** The documented prefix, and one for our own pages that isn't on ad blockers' lists. */
const publicPrefixes = ["/api/ads", "/api/spots"];

export function createAdsFeature(deps: {
  config: Config;
  db: Db;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  storage: Storage;
  media: Media;
  /** Key that signs serve tokens, the same in every process. */
  secret: KeyObject;
  settings: SettingsService;
  changed: PublishChanges;
  /**
   * Restricts the addresses for VAST requests. Defaults to the public internet; tests override it.
   */
  isAllowedAddress?: (address: string) => boolean;
  visitors: Visitors;
}): AdsFeature {
  const { config, db, clock, secret, settings, isAllowedAddress, visitors } = deps;
  const serves = createServeTokens(secret, clock.now);
  const directory = createAdDirectory(deps);
  const policy = createAdPolicy({ directory, settings });
  const reservations = createAdReservations({ db, clock });
  const requests = createRequestCounter(deps);
  const delivery = createAdDelivery({ ...deps, directory, serves, reservations, requests });
  const counting = createAdCounting({ ...deps, serves });
  const ads = createAdsService(deps);
  const campaigns = createCampaignsService(deps);
  const reports = createAdReports(deps);
  const followTag = createTagChain(createGuardedFetch({ isAllowed: isAllowedAddress }));

  return {
    ads,
    counting,
    invalidate(changes) {
      if (concerns(changes, "ads") || concerns(changes, "settings")) directory.invalidate();
    },
    listSlots: delivery.listSlots,
    pageOrigins: policy.ofPages,
    async describe() {
      const rows = (await directory.current()).ads.map(({ row }) => row);
      return {
        hasAds: rows.length > 0,
        hasTrustedAds: rows.some(runsInPage),
        adHosts: [...new Set(rows.flatMap(hostsOfAd))].toSorted(),
      };
    },
    registerRoutes(app) {
      const perProcess = Math.ceil(proxyCallsPerMinute / config.webProcesses);
      const limiter = createCallLimiter(perProcess, clock);
      for (const prefix of publicPrefixes) {
        registerAdListRoutes(app, prefix, { delivery, visitors, geoHeader: config.geoHeader });
        registerAdCountingRoutes(app, prefix, { counting, findLink: delivery.findLink, visitors });
        registerVastRoutes(app, prefix, { delivery, visitors, followTag, limiter });
      }
      registerAdRoutes(app, { ...deps, ads });
      registerCampaignRoutes(app, campaigns);
      registerAdReportRoutes(app, { reports });
      registerVastTestRoutes(app, { followTag });
      registerSellerFiles(app, { settings });
      registerFrameRoutes(app, { delivery, policy, settings });
    },
    async drain() {
      await reservations.drain();
      await counting.drain();
      await requests.drain();
    },
  };
}
