import type { KeyObject } from "node:crypto";
import type { Db } from "#server/db/connection.ts";
import type { Config } from "#server/config.ts";
import { createSecretBox } from "#server/lib/secret-box.ts";
import type { Account } from "./account.ts";
import { notSignedInError } from "#server/http/access/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { sha256 } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { createAccountsService, described } from "./accounts.service.ts";
import * as repository from "./auth.repository.ts";
import { requireUncommon } from "./common-passwords.ts";
import { createPasswordChecks } from "./password-checks.ts";
import { hashPassword } from "./passwords.ts";
import { createPendingSignIns, SecondFactorNeeded } from "./second-factor/pending-sign-in.ts";
import { createSecondFactorsService } from "./second-factor/second-factors.service.ts";
import {
  actorFor,
  createSessionsService,
  type SignedIn,
  type SignInOrigin,
} from "./sessions.service.ts";
import { createSiteSetup } from "./site-setup.ts";
import { createApiTokensService } from "./tokens/api-tokens.service.ts";
import { createSignInLimiter } from "./sign-in-limiter.ts";

export function createAuthService(deps: {
  db: Db;
  clock: Clock;
  secret: KeyObject;
  config?: Config;
  /** Delays an attempt, in ms. */
  sleep?: (ms: number) => Promise<void>;
}) {
  const { db } = deps;
  const limiter = createSignInLimiter(deps);
  const sessions = createSessionsService(deps);
  const { secretsKey = null, formerSecretsKey = null } = deps.config ?? {};
  // Values sealed before the operator set or changed the key need the former key or none.
  const box = createSecretBox(deps.secret, [secretsKey, formerSecretsKey, null]);
  const factors = createSecondFactorsService({ ...deps, box });
  const pending = createPendingSignIns(deps);
  const { attempts, check, checkPassword } = createPasswordChecks({ ...deps, limiter });

  return {
    ...createSiteSetup({ ...deps, attempts, sessions }),
    accounts: createAccountsService({ ...deps, sessions, limiter, factors }),
    sessions,
    factors,
    tokens: createApiTokensService(deps),
    limiter,
    checkPassword,
    findUser: (token: string) => sessions.findUser(token),
    signOut: (token: string, requestId: string) => sessions.signOut(token, requestId),

    /**
     * @throws SecondFactorNeeded if the password is right and the account has a second factor.
     * @throws AppError invalid_credentials, which is the same for a wrong password and an unknown
     * account; rate_limited after too many failures.
     */
    async signIn(email: string, password: string, origin: SignInOrigin): Promise<SignedIn> {
      const { addressKey, device, requestId } = origin;
      // Needs no query, so that requests from a blocked address cost almost nothing.
      if (device === null) limiter.refuseBlocked(addressKey);
      const turn = { key: device?.key ?? addressKey, isFirst: device !== null };
      const { account: found, isRight } = await check(password, turn, async () => {
        const account = await repository.findUserByEmail(db, email);
        const deviceKey = account !== null && device?.userId === account.id ? device.key : null;
        return { account, attempt: { email, addressKey, deviceKey } };
      });
      if (found !== null && isRight && (await factors.isNeeded(found.id))) {
        throw new SecondFactorNeeded(pending.sign(found));
      }
      const token =
        found === null || !isRight
          ? null
          : await db.transaction().execute(async (trx) => {
              // The password was changed or the user was disabled in the meantime, which ended all
              // sessions. Opens no new one.
              const stored = await repository.lockPasswordHash(trx, found.id);
              if (stored !== found.passwordHash) return null;
              return sessions.open(trx, found, origin);
            });
      if (found === null || token === null) {
        // For an unknown account, stores nothing that was typed.
        const user = { id: null, email: found?.email ?? "unknown account" };
        await recordAudit(
          db,
          { user, requestId },
          { action: "account.sign-in-failed", entity: "account", entityId: found?.id ?? null },
        );
        throw new AppError("invalid_credentials", "Invalid credentials");
      }
      const { passwordHash: _, ...user } = found;
      return { user, token };
    },

    /**
     * Ends all of the user's sessions, and also their API tokens unless `keepsTokens`. Opens a new
     * session.
     * @throws AppError invalid for a wrong current password; rate_limited.
     */
    async changePassword(
      user: Account,
      passwords: { currentPassword: string; newPassword: string; keepsTokens: boolean },
      from: { token: string; addressKey: string; userAgent?: string; requestId: string },
    ): Promise<SignedIn> {
      const { currentPassword, newPassword, keepsTokens } = passwords;
      const { token, addressKey, userAgent, requestId } = from;
      const field = "currentPassword";
      const checked = await checkPassword(user, currentPassword, {
        token,
        addressKey,
        field,
        requestId,
      });
      await requireUncommon(newPassword, user.email, "newPassword");
      const turn = { key: sha256(token).toString("base64url"), isFirst: true };
      const passwordHash = await hashPassword(newPassword, turn);
      const next = await db.transaction().execute(async (trx) => {
        // A concurrent change of the password has ended this session.
        const stored = await repository.lockPasswordForUpdate(trx, user.id);
        if (stored !== checked) throw notSignedInError();
        await repository.updatePassword(trx, user.id, passwordHash);
        await sessions.endUserSessions(trx, user.id, keepsTokens ? "sessions" : "tokens too");
        await recordAudit(trx, actorFor(user, requestId), {
          action: "account.password-changed",
          entity: "account",
          entityId: user.id,
          after: described(user),
        });
        return sessions.open(trx, user, { replaced: null, userAgent, requestId });
      });
      return { user, token: next };
    },

    /** Deletes expired sessions and old counters of failed attempts. */
    async deleteExpired() {
      await sessions.deleteExpired();
      await limiter.deleteOld();
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;
