import type { ChangeTag } from "#server/db/change-tags.ts";

/** Result of preparing a response, for the requests that wait for it. */
type Outcome =
  /** The response is in the cache. */
  | "cached"
  /** The client disconnected or the content changed. The next request prepares the response. */
  | "again"
  /** The response isn't the same for everyone, for example because it is an error. */
  | "alone";

/** Response being prepared. Other requests with the same key wait for it. */
export interface Flight {
  ended: Promise<Outcome>;
  end(outcome: Outcome): void;
  /** Number of changes before it started. */
  since: number;
  shown: Set<ChangeTag>;
}

/** Number of times that a request waits before it prepares the response itself. */
const maxWaits = 3;

/** Responses being prepared, by cache key. */
export function createFlights() {
  const flights = new Map<string, Flight>();
  return {
    has: (key: string): boolean => flights.has(key),

    /** @param since number of changes so far. */
    begin(key: string, since: number): Flight {
      const { promise: ended, resolve } = Promise.withResolvers<Outcome>();
      const flight: Flight = {
        ended,
        since,
        shown: new Set(),
        end(outcome) {
          if (flights.get(key) === flight) flights.delete(key);
          resolve(outcome);
        },
      };
      flights.set(key, flight);
      return flight;
    },

    /**
     * Waits for the response if it is being prepared, then calls `serve`. Calls `next` if there is
     * nothing to wait for or `serve` returns false.
     */
    join(key: string, serve: () => boolean, next: () => void): void {
      function wait(waits: number): void {
        const flight = flights.get(key);
        if (flight === undefined || waits === maxWaits) return next();
        void flight.ended.then((outcome) => {
          if (outcome === "cached" && serve()) return;
          if (outcome === "again") wait(waits + 1);
          else next();
        });
      }
      wait(0);
    },
  };
}
