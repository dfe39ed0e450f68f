import type { KeyObject } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "#server/db/connection.ts";
import type { Config } from "#server/config.ts";
import { createSecretBox } from "#server/lib/secret-box.ts";
import { notSignedInError } from "#server/http/access/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { sha256, newLinkToken } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { createSemaphore, type Caller, type Semaphore } from "#server/lib/semaphore.ts";
import type { Account } from "./account.ts";
import {
  createAccountsService,
  auditedAccount,
  insertUser,
  type NewUser,
} from "./accounts.service.ts";
import * as repository from "./auth.repository.ts";
import { requireUncommon, hashPassword, isPasswordCorrect } from "./passwords.ts";
import { createPendingSignIns, SecondFactorNeeded } from "./second-factor/pending-sign-in.ts";
import { createSecondFactorsService } from "./second-factor/second-factors.service.ts";
import {
  actorFor,
  createSessionsService,
  type SignedIn,
  type SignInOrigin,
  type SessionsService,
} from "./sessions.service.ts";
import { createApiTokensService } from "./tokens/api-tokens.service.ts";
import { createSignInLimiter, type Attempt, type SignInLimiter } from "./sign-in-limiter.ts";

const setupTokenMs = 24 * 3600 * 1000;

const setUpIsOver = () => new AppError("not_found", "There is nothing at this address.");
const badSetupToken = () =>
  new AppError("forbidden", "This set-up link has expired. Restart the server to get a new one.");

/** Creates the first admin using a one-time link. */
function createSiteSetup(deps: {
  db: Db;
  clock: Clock;
  attempts: Semaphore;
  sessions: SessionsService;
}) {
  const { db, clock, attempts, sessions } = deps;
  let isSetUpComplete = false;

  return {
    /** Returns a new one-time token, or null if an admin exists. */
    async issueSetupToken(): Promise<string | null> {
      if (await repository.hasOwner(db)) return null;
      const token = newLinkToken();
      await repository.replaceSetupToken(db, sha256(token), new Date(clock.now() + setupTokenMs));
      return token;
    },

    /** @throws AppError not_found if an admin exists; forbidden for a wrong or used token. */
    async setUp(
      { token, email, password, name }: Omit<NewUser, "role"> & { token: string },
      from: Omit<SignInOrigin, "device"> & {
        /**
         * Origin at which the operator opened the link, for use in account mails. Null if it isn't a
         * URL.
         */
        siteOrigin: string | null;
      },
    ): Promise<SignedIn> {
      if (isSetUpComplete) throw setUpIsOver();
      const tokenHash = sha256(token);
      // Hashing is expensive, so it runs after every check that fails without a valid link.
      await attempts.run({ key: from.addressKey, isFirst: false }, async () => {
        // The last owner can't be removed, so a positive result stays valid.
        isSetUpComplete ||= await repository.hasOwner(db);
        if (isSetUpComplete) throw setUpIsOver();
        if (!(await repository.isSetupToken(db, tokenHash))) throw badSetupToken();
      });
      await requireUncommon(password, email);
      const passwordHash = await hashPassword(password, { key: from.addressKey, isFirst: true });
      return db.transaction().execute(async (trx) => {
        if (!(await repository.takeSetupToken(trx, tokenHash))) throw badSetupToken();
        if (await repository.hasOwner(trx)) throw setUpIsOver();
        const input = { email, passwordHash, name, role: "OWNER", nowMs: clock.now() } as const;
        const user = await insertUser(trx, input, { requestId: from.requestId });
        if (from.siteOrigin !== null) await repository.storeConfirmedUrl(trx, from.siteOrigin);
        return { user, token: await sessions.open(trx, user, from) };
      });
    },
  };
}

/** Maximum number of concurrent attempts. Leaves most database connections to visitors. */
const attemptsAtOnce = 2;

/** Origin of a signed-in user's password confirmation. */
interface CheckOrigin {
  token: string;
  addressKey: string;
  addressGroup: string;
  /** Request field that holds the password. */
  field: string;
  requestId: string;
}

function createPasswordChecks(deps: {
  db: Db;
  limiter: SignInLimiter;
  /** Delays an attempt, in ms. */
  sleep?: (ms: number) => Promise<void>;
}) {
  const { db, limiter, sleep = wait } = deps;
  /** Limits concurrent attempts, because they read from the database. */
  const attempts = createSemaphore({
    maxRunning: attemptsAtOnce,
    maxWaitingPerKey: 64,
    maxWaiting: 256,
    message: "Too many people are signing in right now. Try again in a moment.",
    retryAfterS: 2,
  });

  /**
   * Checks a password as one counted attempt. `find` reads the account and returns the counters to
   * use.
   * @throws AppError rate_limited; unavailable while too many other sign-ins run.
   */
  async function check<T extends { passwordHash: string } | null>(
    password: string,
    turn: Caller,
    find: () => Promise<{ account: T; attempt: Attempt }>,
  ): Promise<{ account: T; isRight: boolean }> {
    const { account, reservation } = await attempts.run(turn, async () => {
      const { account: found, attempt } = await find();
      return { account: found, reservation: await limiter.reserve(attempt) };
    });
    if (reservation.delayMs > 0) await sleep(reservation.delayMs);
    let isRight: boolean;
    try {
      isRight = await isPasswordCorrect(account?.passwordHash ?? null, password, turn);
    } catch (error) {
      await reservation.release();
      throw error;
    }
    if (isRight) await reservation.succeed();
    return { account, isRight };
  }

  /**
   * Checks the signed-in user's password. @returns the stored hash that it matches.
   * @throws AppError invalid, rate_limited.
   */
  async function checkPassword(
    user: Account,
    password: string,
    from: CheckOrigin,
  ): Promise<string> {
    // Each session has its own counter, so that someone with a stolen session can't block its
    // owner.
    const deviceKey = sha256(from.token).toString("base64url");
    const { addressKey, addressGroup } = from;
    const attempt = { email: user.email, addressKey, addressGroup, deviceKey };
    const turn = { key: deviceKey, isFirst: true };
    const { account, isRight } = await check(password, turn, async () => ({
      account: await repository.findUserById(db, user.id),
      attempt,
    }));
    if (account !== null && isRight) return account.passwordHash;
    await recordAudit(db, actorFor(user, from.requestId), {
      action: "account.password-check-failed",
      entity: "account",
      entityId: user.id,
      after: auditedAccount(user),
    });
    const message = "The current password is incorrect.";
    throw new AppError("invalid", message, { issues: [{ path: from.field, message }] });
  }

  return { attempts, check, checkPassword };
}

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
      const { addressKey, addressGroup, device, requestId } = origin;
      // Needs no query, so that requests from a blocked address cost almost nothing.
      if (device === null) limiter.refuseBlocked(addressKey);
      const turn = { key: device?.key ?? addressKey, isFirst: device !== null };
      const { account: found, isRight } = await check(password, turn, async () => {
        const account = await repository.findUserByEmail(db, email);
        const deviceKey = account !== null && device?.userId === account.id ? device.key : null;
        return { account, attempt: { email, addressKey, addressGroup, deviceKey } };
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
      from: Omit<CheckOrigin, "field"> & { userAgent?: string },
    ): Promise<SignedIn> {
      const { currentPassword, newPassword, keepsTokens } = passwords;
      const { token, userAgent, requestId } = from;
      const field = "currentPassword";
      const checked = await checkPassword(user, currentPassword, { ...from, field });
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
          after: auditedAccount(user),
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
