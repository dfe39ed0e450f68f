import { addWrites, deleteWritesBefore } from "../../db/write-counts.ts";
import type { Db } from "../../db/connection.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";

/** Writes in a minute. A busy player sends 40; an office of many visitors shares one address. */
export const writesPerVisitor = 240;
export const writesPerAddress = 1200;

const minuteMs = 60_000;
const flushMs = 1000;
/** Only callers above this part of their limit are worth a row that all processes share. */
const sharedFrom = 0.1;
/** Beyond this the counters are dropped: a few writes more pass, and memory stays bounded. */
const maxCounters = 200_000;

interface Counter {
  limit: number;
  /** Of this process, written to the database up to `shared`. */
  own: number;
  shared: number;
  /** Of the other processes, as of the last flush. */
  others: number;
}

/**
 * Limits writes per visitor and per address, together for all processes: each counts in memory and
 * adds its counts to the database once a second.
 */
export interface WriteLimits {
  /** @throws AppError rate_limited when the visitor or the address has used up this minute. */
  take(caller: { visitorId: string | null; addressKey: string }): void;
  /** Exchanges counts with the other processes. Runs by itself once a second while there are any. */
  flush(): Promise<void>;
}

export function createWriteLimits(deps: { db: Db; clock: Clock; logger: Logger }): WriteLimits {
  const { db, clock, logger } = deps;
  let counters = new Map<string, Counter>();
  let minute = 0;
  let timer: NodeJS.Timeout | null = null;
  let lastFlush: Promise<void> = Promise.resolve();

  function counterOf(key: string, limit: number): Counter {
    const known = counters.get(key);
    if (known !== undefined) return known;
    if (counters.size >= maxCounters) counters.clear();
    const counter = { limit, own: 0, shared: 0, others: 0 };
    counters.set(key, counter);
    return counter;
  }

  /** One at a time: a second one would add the same counts again. */
  function flush(): Promise<void> {
    lastFlush = lastFlush.catch(() => undefined).then(exchangeCounts);
    return lastFlush;
  }

  async function exchangeCounts(): Promise<void> {
    const [ofMinute, current] = [minute, counters];
    const added = new Map<string, number>();
    for (const [key, counter] of current) {
      if (counter.own > counter.shared && counter.own >= counter.limit * sharedFrom) {
        added.set(key, counter.own - counter.shared);
      }
    }
    if (added.size === 0) return;
    const sums = await addWrites(db, ofMinute, added);
    for (const [key, sum] of sums) {
      const counter = current.get(key);
      if (counter === undefined) continue;
      counter.shared += added.get(key) ?? 0;
      counter.others = sum - counter.shared;
    }
  }

  function flushSoon(): void {
    timer ??= setTimeout(() => {
      timer = null;
      flush().catch((error: unknown) => {
        logger.debug({ err: error }, "counts of writes could not be shared");
      });
    }, flushMs).unref();
  }

  return {
    flush,
    take({ visitorId, addressKey }) {
      const now = clock.now();
      const current = Math.floor(now / minuteMs);
      if (current !== minute) {
        counters = new Map();
        minute = current;
        deleteWritesBefore(db, current).catch(() => undefined);
      }
      const taken = [counterOf(`address:${addressKey}`, writesPerAddress)];
      if (visitorId !== null) taken.push(counterOf(`visitor:${visitorId}`, writesPerVisitor));
      if (taken.some(({ own, others, limit }) => own + others >= limit)) {
        throw new AppError("rate_limited", "Too many calls. Try again in a minute.", {
          retryAfterS: ((current + 1) * minuteMs - now) / 1000,
        });
      }
      for (const counter of taken) counter.own += 1;
      flushSoon();
    },
  };
}
