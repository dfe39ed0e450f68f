import type { KeyObject } from "node:crypto";
import { z } from "zod";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/app.ts";
import type { PageTokens } from "#server/http/access/page-token.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { defineJob, type JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { registerAccountRoutes } from "./account/account.routes.ts";
import { createAccountService } from "./account/account.service.ts";
import { registerAuthRoutes } from "./auth.routes.ts";
import { createFindAccountUrl } from "./account-url.ts";
import { createOwnerNotices } from "./owner-notices.service.ts";
import { createFindRelyingParty } from "./second-factor/relying-party.ts";
import { createAuthService, type AuthService } from "./auth.service.ts";
import { createDeviceCookies } from "./device-cookie.ts";
import { createInvitationsService } from "./people/invitations.service.ts";
import { registerPeopleRoutes } from "./people/people.routes.ts";
import { createPeopleService } from "./people/people.service.ts";
import { registerPasswordResetRoutes } from "./reset/password-reset.routes.ts";
import {
  createPasswordResetService,
  resetPayload,
  sendReset,
} from "./reset/password-reset.service.ts";
import { createFactorSignIn } from "./second-factor/factor-sign-in.service.ts";
import { createPasskeysService } from "./second-factor/passkeys.service.ts";
import { registerApiTokenRoutes } from "./tokens/api-tokens.routes.ts";
import { registerSecondFactorRoutes } from "./second-factor/second-factors.routes.ts";

export function createAuthFeature(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  secret: KeyObject;
  config: Config;
  /** Port of the running server; null before it listens. */
  findPort: () => number | null;
  visitors: Visitors;
  pageTokens: PageTokens;
  mailer: Mailer;
  queue: JobQueue;
  settings: SettingsService;
}): Feature & { auth: AuthService } {
  const auth = createAuthService(deps);
  const { sessions, factors, limiter } = auth;
  const devices = createDeviceCookies(deps.secret);
  const invitations = createInvitationsService({ ...deps, sessions });
  const people = createPeopleService({ ...deps, sessions });
  const findAccountUrl = createFindAccountUrl(deps);
  const findParty = createFindRelyingParty({ ...deps, findAccountUrl });
  const notices = createOwnerNotices({ ...deps, findAccountUrl });
  const passkeys = createPasskeysService({ ...deps, factors });
  const signIns = createFactorSignIn({ ...deps, sessions, limiter, factors, passkeys });
  const account = createAccountService({ ...deps, passkeys });
  const resets = createPasswordResetService({ ...deps, findAccountUrl, sessions, limiter });
  return {
    auth,
    async start() {
      const lost = await factors.sealAll();
      if (lost === 0) return;
      deps.logger.warn(
        { count: lost },
        "can't check authenticator codes: SECRETS_KEY isn't the key they were set up with",
      );
    },
    registerRoutes(app) {
      registerAuthRoutes(app, {
        ...deps,
        auth,
        invitations,
        devices,
        signIns,
        passkeys,
        findParty,
      });
      registerPasswordResetRoutes(app, { ...deps, resets });
      registerAccountRoutes(app, { ...deps, auth, account, passkeys, findParty });
      registerSecondFactorRoutes(app, { ...deps, factors, passkeys, findParty });
      registerApiTokenRoutes(app, { tokens: auth.tokens });
      registerPeopleRoutes(app, { ...deps, people, invitations, findAccountUrl });
      app.addHook("onSend", async ({ confirmedChange, id, log }, reply) => {
        if (confirmedChange === null || reply.statusCode >= 300) return;
        // The change is committed, so its response can't become an error.
        await notices
          .report(id)
          .catch((err: unknown) => log.error({ err }, "couldn't queue the notice of a change"));
      });
    },
    jobs: [
      notices.job,
      defineJob({
        name: "account.delete-expired",
        payload: z.object({}),
        concurrency: 1,
        schedule: { cron: "*/10 * * * *", runsAtStart: true },
        run: () => auth.deleteExpired(),
      }),
      defineJob({
        name: sendReset,
        payload: resetPayload,
        concurrency: 1,
        run: (payload) => resets.sendLink(payload),
      }),
    ],
  };
}
