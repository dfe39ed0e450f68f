import type { KeyObject } from "node:crypto";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { hmacSha256 } from "#server/lib/ids.ts";
import * as repository from "./sign-in-failures.repository.ts";

/** After the free attempts, each failure doubles the wait: 15 s, 30 s, 1 min ... up to an hour. */
const freeAttempts = { own: 5, address: 20, group: 100, reset: 10, groupReset: 50 };
const firstWaitS = 15;
const maxWaitS = 3600;
/** Failures from all addresses delay an account's sign-ins but never block them. */
const freeAccountAttempts = 10;
/** Number of wrong codes per account, from all addresses, after which codes are refused. */
const freeCodes = 10;
const firstDelayMs = 250;
const maxDelayMs = 4000;
/** Higher than any count that fits into the column. */
const neverBlocked = 2 ** 31 - 1;
const refusedInMemoryMs = 1000;
const maxRefusedInMemory = 10_000;
/** Counting restarts after this time without an attempt. */
const resetMs = 24 * 3600 * 1000;

/** Returns the seconds to wait after this many failures. */
export function waitAfter(failures: number, free: number = freeAttempts.own): number {
  if (failures < free) return 0;
  return Math.min(maxWaitS, firstWaitS * 2 ** (failures - free));
}

/** Returns the delay in ms after this many failures of the account. */
export function accountDelayAfter(failures: number): number {
  if (failures <= freeAccountAttempts) return 0;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - freeAccountAttempts - 1));
}

export interface Attempt {
  email: string;
  /** Identifies the address without revealing it. */
  addressKey: string;
  /** See `Visitors.addressGroupKey`. */
  addressGroup: string;
  /** Identifies a browser that has signed in to this account before; null for any other browser. */
  deviceKey: string | null;
  /**
   * True for a code entered after the right password. Codes have their own counters, and failures
   * from all addresses block them, because codes are short and only people with the password get
   * that far.
   */
  isCode?: boolean;
}

/** Attempt that counts as a failure until it succeeds. */
interface Reservation {
  /** Time to wait before checking the password. */
  delayMs: number;
  /** Records a right password: resets the counter of this browser or address. */
  succeed(): Promise<void>;
  /** Takes the attempt back, because the password wasn't checked. */
  release(): Promise<void>;
}

/**
 * Limits sign-ins per account and address, per address, and per address group. Failures of an
 * account from all addresses only delay sign-ins, so that an attacker can't lock out the owner. A
 * browser that has signed in before has its own counter. Counters are stored in the database, and
 * all processes share them.
 */
export function createSignInLimiter(deps: { db: Db; clock: Clock; secret: KeyObject }) {
  const { db, clock, secret } = deps;
  const keyOf = (...parts: string[]) => hmacSha256(secret, `sign-in:${JSON.stringify(parts)}`);
  const accountKeyOf = (email: string) => keyOf("account", normalEmail(email));

  /** Addresses that the database refused a moment ago. */
  const refused = new Map<string, { until: Date | null; askAgainAtMs: number }>();

  function remember(addressKey: string, until: Date | null): void {
    if (refused.size >= maxRefusedInMemory) refused.clear();
    const untilMs = until?.getTime() ?? 0;
    const askAgainAtMs = Math.min(untilMs, clock.now() + refusedInMemoryMs);
    refused.set(addressKey, { until, askAgainAtMs });
  }

  return {
    /** Refuses an address that was refused a moment ago. @throws AppError rate_limited. */
    refuseBlocked(addressKey: string): void {
      const known = refused.get(addressKey);
      if (known === undefined) return;
      if (clock.now() < known.askAgainAtMs) throw tooMany(known.until, clock.now());
      refused.delete(addressKey);
    },

    /** Counts the attempt before it is checked. @throws AppError rate_limited. */
    async reserve({
      email,
      addressKey,
      addressGroup,
      deviceKey,
      isCode = false,
    }: Attempt): Promise<Reservation> {
      const accountKey = accountKeyOf(email);
      const codeMark = isCode ? ["code"] : [];
      const own = {
        accountKey,
        key:
          deviceKey === null
            ? keyOf(...codeMark, "pair", normalEmail(email), addressKey)
            : keyOf(...codeMark, "device", normalEmail(email), deviceKey),
        freeAttempts: freeAttempts.own,
      };
      const address = {
        accountKey: null,
        key: keyOf(...codeMark, "address", addressKey),
        freeAttempts: freeAttempts.address,
      };
      const group = {
        accountKey: null,
        key: keyOf(...codeMark, "group", addressGroup),
        freeAttempts: freeAttempts.group,
      };
      const account = isCode
        ? { accountKey, key: keyOf("code", "account", normalEmail(email)), freeAttempts: freeCodes }
        : { accountKey, key: accountKey, freeAttempts: neverBlocked };
      const shared = deviceKey === null ? [address, group, account] : [];
      const times = { now: clock.date(), resetBefore: new Date(clock.now() - resetMs) };

      const accountFailures = await db.transaction().execute(async (trx) => {
        let failures = 0;
        // All attempts lock in the same order, so that they can't deadlock.
        for (const counter of [own, ...shared]) {
          const counted = await repository.countAttempt(trx, counter, times);
          if (counted === null) {
            const until = await repository.findBlockedUntil(trx, counter.key);
            if (counter.accountKey === null && !isCode) remember(addressKey, until);
            throw tooMany(until, clock.now());
          }
          failures = counter === account ? counted : 0;
          const waitS = waitAfter(counted, counter.freeAttempts);
          if (waitS > 0) {
            await repository.blockKey(trx, counter.key, new Date(clock.now() + waitS * 1000));
          }
        }
        return failures;
      });

      return {
        delayMs: isCode ? 0 : accountDelayAfter(accountFailures),
        async succeed() {
          await repository.deleteFailures(db, own.key);
          // Doesn't reset the shared counters, because an address may try many accounts, including
          // its own.
          await repository.uncountAttempt(db, shared);
        },
        release: () => repository.uncountAttempt(db, [own, ...shared]),
      };
    },

    /**
     * Counts a request for a reset link per address and address group only. If there were a limit per
     * account, other people could block its owner. @throws AppError rate_limited.
     */
    async countReset(addressKey: string, addressGroup: string): Promise<void> {
      const counters = [
        { key: keyOf("reset", "address", addressKey), free: freeAttempts.reset },
        { key: keyOf("reset", "group", addressGroup), free: freeAttempts.groupReset },
      ];
      const times = { now: clock.date(), resetBefore: new Date(clock.now() - resetMs) };
      await db.transaction().execute(async (trx) => {
        for (const { key, free } of counters) {
          const counted = await repository.countAttempt(trx, { key, accountKey: null }, times);
          if (counted === null) {
            throw tooMany(await repository.findBlockedUntil(trx, key), clock.now());
          }
          const waitS = waitAfter(counted, free);
          if (waitS > 0) {
            await repository.blockKey(trx, key, new Date(clock.now() + waitS * 1000));
          }
        }
      });
    },

    /** Clears all of the account's counters. */
    reset: (email: string): Promise<void> => repository.deleteUserFailures(db, accountKeyOf(email)),
    deleteOld: (): Promise<void> =>
      repository.deleteFailuresBefore(db, new Date(clock.now() - resetMs)),
  };
}

export type SignInLimiter = ReturnType<typeof createSignInLimiter>;

const normalEmail = (email: string) => email.trim().toLowerCase();

function tooMany(until: Date | null, nowMs: number): AppError {
  const retryAfterS = Math.max(1, until === null ? 1 : (until.getTime() - nowMs) / 1000);
  return new AppError(
    "rate_limited",
    `Too many failed attempts. Try again in ${Math.ceil(retryAfterS)} seconds.`,
    { retryAfterS },
  );
}
