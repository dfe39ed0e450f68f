import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import { registerReferralRoutes } from "./referrals.routes.ts";
import { createReferralsService, type ReferralsService } from "./referrals.service.ts";

export function createReferralsFeature(deps: {
  db: Db;
  clock: Clock;
  visitors: Visitors;
}): Feature & { referrals: ReferralsService } {
  const referrals = createReferralsService(deps);
  return {
    referrals,
    registerRoutes: (app) => registerReferralRoutes(app, { ...deps, referrals }),
  };
}
