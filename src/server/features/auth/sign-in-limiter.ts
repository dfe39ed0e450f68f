import type { DbOrTrx } from "../../db/connection.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";

/** Five failures are free, then each doubles the wait: 15 s, 30 s, 1 min ... up to an hour. */
const freeFailures = 5;
const firstWaitS = 15;
const longestWaitS = 3600;
/** An account or address that was quiet this long starts anew. */
const forgetAfterS = 24 * 3600;

export function waitAfter(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(longestWaitS, firstWaitS * 2 ** (failures - freeFailures));
}

/** Limits sign-in per account and per address; kept in the database, so that it holds on many machines. */
export interface SignInLimiter {
  /** @throws AppError rate_limited while any of the keys is blocked. */
  check(db: DbOrTrx, keys: Buffer[]): Promise<void>;
  recordFailure(db: DbOrTrx, keys: Buffer[]): Promise<void>;
  forget(db: DbOrTrx, keys: Buffer[]): Promise<void>;
}

export function createSignInLimiter(clock: Clock): SignInLimiter {
  return {
    async check(db, keys) {
      const row = await db
        .selectFrom("sign_in_failures")
        .select((eb) => eb.fn.max("blocked_until").as("until"))
        .where("key", "in", keys)
        .executeTakeFirst();
      const waitS = row?.until == null ? 0 : (row.until.getTime() - clock.now()) / 1000;
      if (waitS > 0) {
        throw new AppError(
          "rate_limited",
          `Too many failed attempts. Try again in ${Math.ceil(waitS)} seconds.`,
          { retryAfterS: waitS },
        );
      }
    },

    async recordFailure(db, keys) {
      for (const key of keys) {
        const known = await db
          .selectFrom("sign_in_failures")
          .select(["failures", "updated_at"])
          .where("key", "=", key)
          .forUpdate()
          .executeTakeFirst();
        const isRecent =
          known !== undefined && clock.now() - known.updated_at.getTime() < forgetAfterS * 1000;
        const failures = (isRecent ? known.failures : 0) + 1;
        const values = {
          failures,
          blocked_until: new Date(clock.now() + waitAfter(failures) * 1000),
          updated_at: clock.date(),
        };
        await db
          .insertInto("sign_in_failures")
          .values({ key, ...values })
          .onConflict((conflict) => conflict.column("key").doUpdateSet(values))
          .execute();
      }
    },

    async forget(db, keys) {
      await db.deleteFrom("sign_in_failures").where("key", "in", keys).execute();
    },
  };
}
