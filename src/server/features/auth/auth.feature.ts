import type { KeyObject } from "node:crypto";
import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { Visitors } from "../../http/access/visitors.ts";
import type { Clock } from "../../lib/clock.ts";
import { registerAuthRoutes } from "./auth.routes.ts";
import { createAuthService, type AuthService } from "./auth.service.ts";
import { createDeviceCookies } from "./device-cookie.ts";

export function createAuthFeature(deps: {
  db: Db;
  clock: Clock;
  secret: KeyObject;
  visitors: Pick<Visitors, "addressKey">;
}): Feature & { auth: AuthService } {
  const auth = createAuthService(deps);
  const devices = createDeviceCookies(deps.secret);
  return { auth, registerRoutes: (app) => registerAuthRoutes(app, { ...deps, auth, devices }) };
}
