import type { KeyObject } from "node:crypto";
import type { Db } from "../../db/connection.ts";
import type { Feature } from "../../http/feature.ts";
import type { Visitors } from "../../http/access/visitors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Mailer } from "../../lib/mailer.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import { registerAuthRoutes } from "./auth.routes.ts";
import { createAuthService, type AuthService } from "./auth.service.ts";
import { createDeviceCookies } from "./device-cookie.ts";
import { createInvitationsService } from "./people/invitations.service.ts";
import { registerPeopleRoutes } from "./people/people.routes.ts";
import { createPeopleService } from "./people/people.service.ts";

export function createAuthFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  secret: KeyObject;
  visitors: Pick<Visitors, "addressKey">;
  mailer: Mailer;
  settings: Pick<SettingsService, "getPublic" | "siteUrl">;
}): Feature & { auth: AuthService } {
  const auth = createAuthService(deps);
  const { sessions } = auth;
  const devices = createDeviceCookies(deps.secret);
  const invitations = createInvitationsService({ ...deps, sessions });
  const people = createPeopleService({ ...deps, sessions });
  return {
    auth,
    registerRoutes(app) {
      registerAuthRoutes(app, { ...deps, auth, invitations, devices });
      registerPeopleRoutes(app, { ...deps, people, invitations });
    },
  };
}
