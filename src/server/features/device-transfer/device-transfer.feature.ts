import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import type { Feature } from "#server/http/feature.ts";
import type { Clock } from "#server/lib/clock.ts";
import { registerTransferRoutes } from "./transfers.routes.ts";
import { createTransfersService } from "./transfers.service.ts";

/** Moves a visitor library from one browser to another, without an account. */
export function createTransfersFeature(deps: {
  db: Db;
  clock: Clock;
  visitors: Visitors;
}): Feature {
  const transfers = createTransfersService(deps);
  return { registerRoutes: (app) => registerTransferRoutes(app, { ...deps, transfers }) };
}
