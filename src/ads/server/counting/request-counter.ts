import type { AdOrigin, AdPlacement } from "../../contract/ads.ts";
import type { Db } from "#server/db/connection.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import { addRequests, type RequestSum } from "./request-counts.repository.ts";

const writeAfterMs = 1000;

/** Counts requested lists and those that contained an ad. Writes the sums every second. */
export function createRequestCounter(deps: { db: Db; logger: Logger }) {
  const { db, logger } = deps;
  let sums = new Map<string, RequestSum>();
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();

  /** Writes the counts so far. */
  function write(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const written = sums;
    sums = new Map();
    if (written.size > 0) {
      writing = writing
        .then(() => addRequests(db, [...written.values()]))
        .catch((error: unknown) =>
          warnLimited(logger, "ad requests", { err: error }, "couldn't count ad requests"),
        );
    }
    return writing;
  }

  return {
    note({
      day,
      placement,
      origin,
      isRobot,
      isFilled,
    }: {
      day: string;
      placement: AdPlacement | null;
      origin: AdOrigin;
      isRobot: boolean;
      isFilled: boolean;
    }): void {
      const key = `${day} ${placement ?? ""} ${origin}`;
      let sum = sums.get(key);
      if (sum === undefined) {
        sum = { day, placement: placement ?? "", origin, requests: 0, filled: 0, robotRequests: 0 };
        sums.set(key, sum);
      }
      if (isRobot) sum.robotRequests += 1;
      else {
        sum.requests += 1;
        if (isFilled) sum.filled += 1;
      }
      timer ??= setTimeout(() => void write(), writeAfterMs);
    },
    drain: write,
  };
}

export type RequestCounter = ReturnType<typeof createRequestCounter>;
