import type { AdPlace } from "../../../contract/ads.ts";
import type { Db } from "../../db/connection.ts";
import type { Shortcut } from "../../http/app.ts";
import type { Feature } from "../../http/feature.ts";
import type { Visitors } from "../../http/visitors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { createAdCounting, type AdCounting } from "./ad-counting.service.ts";
import { createAdDelivery } from "./ad-delivery.service.ts";
import { createAdDirectory } from "./ad-directory.ts";
import { registerAdRoutes } from "./ads.routes.ts";
import { createAdsService, type AdsService } from "./ads.service.ts";
import { createCallLimiter } from "./call-limiter.ts";
import { registerFrameRoutes } from "./frame.routes.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { createServeTokens } from "./serve-token.ts";
import { createSpotShortcut } from "./spots-shortcut.routes.ts";
import { registerSpotRoutes } from "./spots.routes.ts";
import { createTagChain } from "./tag-chain.ts";

/** Advertising, put together. */
export interface AdsFeature extends Feature {
  ads: AdsService;
  counting: AdCounting;
  /** Something was written, here or by another process: what is kept in memory is read again. */
  invalidate(): void;
  /** Where there are ads now; for pages, which keep room for them. */
  places(): Promise<AdPlace[]>;
  /** Sources for the pages' `script-src`: where scripts of trusted ads come from. */
  scriptSources(): Promise<readonly string[]>;
  /** Answers the public list before the framework, wherever it is the same for everybody. */
  shortcut: Shortcut;
  /** Everything acknowledged or under way is written. Call it after the last request. */
  drain(): Promise<void>;
}

/** Calls of the VAST proxy that one address may make in a minute. */
const proxyCallsPerMinute = 30;

export function createAdsFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  /** Signs serve tokens; the same for every process. */
  secret: Buffer;
  changed: () => Promise<void>;
  /** Which addresses the server may fetch VAST from; the public internet unless a test says so. */
  isAllowedAddress?: (address: string) => boolean;
  visitors: Pick<Visitors, "find" | "ensure" | "addressKey">;
}): AdsFeature {
  const { db, clock, logger, secret, changed, isAllowedAddress, visitors } = deps;
  const serves = createServeTokens(secret, clock.now);
  const directory = createAdDirectory({ db, clock, logger });
  const delivery = createAdDelivery({ db, clock, directory, serves });
  const counting = createAdCounting({
    db,
    clock,
    serves,
    logger,
    onShown: (ids) => directory.addShown(ids),
  });
  const ads = createAdsService({
    db,
    changed: async () => {
      directory.invalidate();
      await changed();
    },
  });
  const followTag = createTagChain(createGuardedFetch({ isAllowed: isAllowedAddress }));

  return {
    ads,
    counting,
    invalidate: () => directory.invalidate(),
    places: () => delivery.places(),
    scriptSources: async () => (await directory.current()).scriptOrigins,
    registerRoutes(app) {
      const proxyCalls = createCallLimiter(proxyCallsPerMinute, clock);
      registerSpotRoutes(app, { delivery, counting, visitors, followTag, proxyCalls });
      registerAdRoutes(app, { db, clock, ads, followTag });
      registerFrameRoutes(app, { delivery });
    },
    shortcut: createSpotShortcut(delivery),
    drain: () => counting.drain(),
  };
}
