import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/app.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createViewCap } from "../engagement/view-cap.ts";
import { registerReferralRoutes } from "./referrals.routes.ts";
import { createReferralsService, type ReferralsService } from "./referrals.service.ts";

export function createReferralsFeature(deps: {
  db: Db;
  clock: Clock;
  config: Config;
  visitors: Visitors;
}): Feature & { referrals: ReferralsService } {
  const referrals = createReferralsService(deps);
  const cap = createViewCap(deps.clock, deps.config.webProcesses);
  return {
    referrals,
    registerRoutes: (app) => registerReferralRoutes(app, { ...deps, referrals, cap }),
  };
}
