import { addWrites, deleteWritesBefore } from "#server/db/write-counts.ts";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";

/** Writes in any minute. A busy player sends 40; an office of many visitors shares one address. */
export const writesPerVisitor = 240;
export const writesPerAddress = 1200;

const minuteMs = 60_000;
const flushMs = 1000;
/**
 * Only callers above this part of their limit, divided by the web processes of this machine, are worth
 * a row that all processes share.
 */
const sharedFrom = 0.1;
/** Beyond this the counters are dropped: a few writes more pass, and memory stays bounded. */
const maxCounters = 200_000;

interface Counter {
  limit: number;
  /** Of all processes in the minute before. */
  before: number;
  /** Of this process, written to the database up to `shared`. */
  own: number;
  shared: number;
  /** Of the other processes, as of the last flush. */
  others: number;
}

/**
 * Limits writes per visitor and per address, together for all processes: each counts in memory and
 * adds its counts to the database once a second. Counters are of clock minutes; the one before counts
 * by the part of it that the last 60 seconds still hold, so that no double burst fits around its end.
 */
export interface WriteLimits {
  /** @throws AppError rate_limited when the visitor or the address has used up its minute. */
  take(caller: { visitorId: string | null; addressKey: string }): void;
  /** Exchanges counts with the other processes. Runs by itself once a second while there are any. */
  flush(): Promise<void>;
}

/** Milliseconds until another write fits, if no other comes; 0 if it fits now. */
function waitMs({ limit, before, own, others }: Counter, passedMs: number): number {
  const free = limit - own - others;
  // From this part of the minute on, what still counts of the one before leaves one write free.
  const part = free <= 0 ? 1 : before === 0 ? 0 : 1 - (free - 1) / before;
  return Math.max(0, Math.round(part * minuteMs) - passedMs);
}

/** @param deps.processes how many web processes of this machine count. */
export function createWriteLimits(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  processes?: number;
}): WriteLimits {
  const { db, clock, logger, processes = 1 } = deps;
  let counters = new Map<string, Counter>();
  let countersBefore = new Map<string, Counter>();
  let minute = 0;
  let timer: NodeJS.Timeout | null = null;
  let isFlushingNow = false;
  let lastFlush: Promise<void> = Promise.resolve();

  function counterOf(key: string, limit: number): Counter {
    const known = counters.get(key);
    if (known !== undefined) return known;
    if (counters.size >= maxCounters) counters.clear();
    const last = countersBefore.get(key);
    const before = last === undefined ? 0 : last.own + last.others;
    const counter = { limit, before, own: 0, shared: 0, others: 0 };
    counters.set(key, counter);
    return counter;
  }

  /** One at a time: a second one would add the same counts again. */
  function flush(): Promise<void> {
    const [ofMinute, current] = [minute, counters];
    lastFlush = lastFlush.catch(() => undefined).then(() => exchangeCounts(ofMinute, current));
    return lastFlush;
  }

  async function exchangeCounts(
    ofMinute: number,
    current: ReadonlyMap<string, Counter>,
  ): Promise<void> {
    const added = new Map<string, number>();
    for (const [key, counter] of current) {
      if (counter.own > counter.shared && counter.own >= (counter.limit * sharedFrom) / processes) {
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

  const flushNow = () =>
    flush().catch((error: unknown) => {
      logger.debug({ err: error }, "counts of writes could not be shared");
    });

  function flushSoon(): void {
    timer ??= setTimeout(() => {
      timer = null;
      void flushNow();
    }, flushMs).unref();
  }

  /** A burst that uses up the share of this process: the others must know of it before a second. */
  function flushBurst({ limit, own, shared }: Counter): void {
    if (processes === 1 || isFlushingNow || own - shared < limit / processes) return;
    isFlushingNow = true;
    void flushNow().finally(() => {
      isFlushingNow = false;
    });
  }

  return {
    flush,
    take({ visitorId, addressKey }) {
      const now = clock.now();
      const current = Math.floor(now / minuteMs);
      if (current !== minute) {
        // The writes since the last flush, which belong to the minute that has ended.
        flush().catch(() => undefined);
        countersBefore = current === minute + 1 ? counters : new Map<string, Counter>();
        counters = new Map();
        minute = current;
        deleteWritesBefore(db, current - 1).catch(() => undefined);
      }
      const taken = [counterOf(`address:${addressKey}`, writesPerAddress)];
      if (visitorId !== null) taken.push(counterOf(`visitor:${visitorId}`, writesPerVisitor));
      const wait = Math.max(...taken.map((counter) => waitMs(counter, now % minuteMs)));
      if (wait > 0) {
        throw new AppError("rate_limited", "Too many calls. Try again in a minute.", {
          retryAfterS: wait / 1000,
        });
      }
      for (const counter of taken) {
        counter.own += 1;
        flushBurst(counter);
      }
      flushSoon();
    },
  };
}
