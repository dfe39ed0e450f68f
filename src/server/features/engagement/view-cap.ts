import type { Clock } from "#server/lib/clock.ts";
import { viewWindowMs } from "./engagement.ts";

/**
 * Maximum number of views of one video, or of visits through one referral link, that count per
 * address within `viewWindowMs`. Limited per address, because clients can discard the visitor
 * cookie. More than a school behind one address needs, but too few to push a video.
 */
export const viewsPerAddress = 300;

/**
 * Above this number, all counters are dropped. A few more views may then count, but memory stays
 * bounded.
 */
const maxCounters = 100_000;

interface Counter {
  until: number;
  count: number;
}

/**
 * @param processes number of web processes on this machine. The kernel distributes an address's
 * connections among them, so each gets its share of the allowance.
 */
export function createViewCap(clock: Clock, processes = 1) {
  const max = Math.ceil(viewsPerAddress / processes);
  const counters = new Map<string, Counter>();
  return {
    /** Takes one view or visit from the allowance. Returns false once it is used up. */
    take(addressKey: string, target: string): boolean {
      const key = `${addressKey} ${target}`;
      const at = clock.now();
      const counter = counters.get(key);
      if (counter === undefined || counter.until <= at) {
        if (counters.size >= maxCounters) counters.clear();
        counters.set(key, { until: at + viewWindowMs, count: 1 });
        return true;
      }
      if (counter.count >= max) return false;
      counter.count += 1;
      return true;
    },
  };
}

export type ViewCap = ReturnType<typeof createViewCap>;
