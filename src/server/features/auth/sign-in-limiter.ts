import type { Db } from "../../db/connection.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import * as repository from "./sign-in-failures.repository.ts";

/** Five failures are free, then each doubles the wait: 15 s, 30 s, 1 min ... up to an hour. */
const freeFailures = 5;
const firstWaitS = 15;
const maxWaitS = 3600;
/** Counting starts again after this long without a failure. */
const resetMs = 24 * 3600 * 1000;

/** Seconds to wait after this many failures. */
export function waitAfter(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(maxWaitS, firstWaitS * 2 ** (failures - freeFailures));
}

/** Limits sign-in by account and by address. The counts are in the database, for all machines. */
interface SignInLimiter {
  /** @throws AppError rate_limited while any of the keys is blocked. */
  check(keys: Buffer[]): Promise<void>;
  recordFailure(keys: Buffer[]): Promise<void>;
  reset(keys: Buffer[]): Promise<void>;
}

export function createSignInLimiter({ db, clock }: { db: Db; clock: Clock }): SignInLimiter {
  return {
    async check(keys) {
      const until = await repository.findBlockedUntil(db, keys);
      const waitS = until === null ? 0 : (until.getTime() - clock.now()) / 1000;
      if (waitS > 0) {
        throw new AppError(
          "rate_limited",
          `Too many failed attempts. Try again in ${Math.ceil(waitS)} seconds.`,
          { retryAfterS: waitS },
        );
      }
    },

    async recordFailure(keys) {
      await db.transaction().execute(async (trx) => {
        for (const key of keys) {
          const known = await repository.lockFailures(trx, key);
          const isRecent = known !== null && clock.now() - known.updatedAt.getTime() < resetMs;
          const failures = (isRecent ? known.failures : 0) + 1;
          await repository.saveFailures(trx, key, {
            failures,
            blockedUntil: new Date(clock.now() + waitAfter(failures) * 1000),
            updatedAt: clock.date(),
          });
        }
      });
    },

    reset: (keys) => repository.deleteFailures(db, keys),
  };
}
