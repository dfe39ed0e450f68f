import type { PasskeyAssertion } from "#contract/accounts/account.ts";
import type { KeyObject } from "node:crypto";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import * as repository from "../auth.repository.ts";
import {
  type SignedIn,
  type SignInOrigin,
  actorFor,
  type SessionsService,
} from "../sessions.service.ts";
import type { SignInLimiter } from "../sign-in-limiter.ts";
import type { PasskeysService } from "./passkeys.service.ts";
import type { RelyingParty } from "./relying-party.ts";
import { createPendingSignIns } from "./pending-sign-in.ts";
import type { SecondFactorsService } from "./second-factors.service.ts";

const startAgain = () => new AppError("unauthenticated", "Your sign-in expired. Sign in again.");

/** Handles sign-ins that need more than a password. */
export function createFactorSignIn(deps: {
  db: Db;
  clock: Clock;
  secret: KeyObject;
  sessions: SessionsService;
  limiter: SignInLimiter;
  factors: SecondFactorsService;
  passkeys: PasskeysService;
}) {
  const { db, sessions, limiter, factors, passkeys } = deps;
  const pendingSignIns = createPendingSignIns(deps);

  return {
    /**
     * Completes the second step after the right password.
     * @throws AppError unauthenticated without a valid first step; invalid for a wrong code;
     * rate_limited.
     */
    async giveCode(pending: string, code: string, origin: SignInOrigin): Promise<SignedIn> {
      const id = pendingSignIns.userIdIn(pending);
      const found = isUuid(id) ? await repository.findUserById(db, id) : null;
      if (found === null || !pendingSignIns.isValid(pending, found)) throw startAgain();
      const { passwordHash, ...user } = found;
      const { addressKey, addressGroup, device, requestId } = origin;
      const deviceKey = device?.userId === user.id ? device.key : null;
      const address = { addressKey, addressGroup };
      const attempt = { email: user.email, ...address, deviceKey, isCode: true };
      const reservation = await limiter.reserve(attempt);
      const token = await db.transaction().execute(async (trx) => {
        // If the password changes or the account is disabled, the sign-in in progress becomes
        // invalid.
        if ((await repository.lockPasswordHash(trx, id)) !== passwordHash) throw startAgain();
        const method = await factors.take(trx, id, code);
        return method === null ? null : sessions.open(trx, user, origin, method);
      });
      if (token === null) {
        await recordAudit(db, actorFor(user, requestId), {
          action: "account.second-factor-failed",
          entity: "account",
          entityId: id,
          after: { email: user.email },
        });
        const message = "This code is incorrect or has already been used.";
        throw new AppError("invalid", message, { issues: [{ path: "code", message }] });
      }
      await reservation.succeed();
      return { user, token };
    },

    /** Signs in with only a passkey. @throws AppError invalid_credentials. */
    async usePasskey(
      response: PasskeyAssertion,
      party: RelyingParty,
      origin: SignInOrigin,
    ): Promise<SignedIn> {
      const refused = () =>
        new AppError("invalid_credentials", "This passkey wasn't accepted. Try another one.");
      const verified = await passkeys.verify(response, party, null);
      if (verified === null) throw refused();
      const found = await repository.findUserById(db, verified.userId);
      if (found === null) throw refused();
      const { passwordHash: _, ...user } = found;
      const token = await db.transaction().execute(async (trx) => {
        if ((await repository.lockPasswordHash(trx, user.id)) === null) throw refused();
        if (!(await passkeys.use(trx, verified))) throw refused();
        return sessions.open(trx, user, origin, "passkey");
      });
      return { user, token };
    },
  };
}

export type FactorSignInService = ReturnType<typeof createFactorSignIn>;
