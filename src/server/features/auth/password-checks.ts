import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { sha256 } from "#server/lib/ids.ts";
import { createSemaphore, type Caller } from "#server/lib/semaphore.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import type { Account } from "./account.ts";
import { described } from "./accounts.service.ts";
import * as repository from "./auth.repository.ts";
import { isPasswordCorrect } from "./passwords.ts";
import { actorFor } from "./sessions.service.ts";
import type { Attempt, SignInLimiter } from "./sign-in-limiter.ts";

/** Maximum number of concurrent attempts. Leaves most database connections to visitors. */
const attemptsAtOnce = 2;

/** Origin of a signed-in user's password confirmation. */
interface CheckOrigin {
  token: string;
  addressKey: string;
  /** Request field that holds the password. */
  field: string;
  requestId: string;
}

export function createPasswordChecks(deps: {
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
    const attempt = { email: user.email, addressKey: from.addressKey, deviceKey };
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
      after: described(user),
    });
    const message = "The current password is incorrect.";
    throw new AppError("invalid", message, { issues: [{ path: from.field, message }] });
  }

  return { attempts, check, checkPassword };
}
