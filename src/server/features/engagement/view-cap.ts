import type { Clock } from "#server/lib/clock.ts";
import { viewWindowMs } from "./engagement.ts";

/**
 * A client can discard its visitor cookie, so one address counts at most this many views of one video
 * in the time of a view: more than a school behind one address needs, too few to lift a video.
 */
export const viewsPerAddress = 300;

/** Beyond this the counters are dropped: a few views more count, and memory stays bounded. */
const maxCounters = 100_000;

interface Counter {
  until: number;
  count: number;
}

export interface ViewCap {
  /** Takes one view from the allowance; false when it is used up. */
  take(addressKey: string, videoId: string): boolean;
}

/**
 * @param processes how many web processes of this machine share the allowance. The kernel divides
 *   the connections of an address among them, so that each has its part.
 */
export function createViewCap(clock: Clock, processes = 1): ViewCap {
  const max = Math.ceil(viewsPerAddress / processes);
  // Counters of the window before are at their end when the next window begins.
  let counters = new Map<string, Counter>();
  let countersBefore = new Map<string, Counter>();
  let endsAt = -Infinity;
  return {
    take(addressKey, videoId) {
      const key = `${addressKey} ${videoId}`;
      const at = clock.now();
      if (at >= endsAt) {
        countersBefore = at < endsAt + viewWindowMs ? counters : new Map<string, Counter>();
        counters = new Map();
        endsAt = at + viewWindowMs;
      }
      const counter = counters.get(key) ?? countersBefore.get(key);
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
