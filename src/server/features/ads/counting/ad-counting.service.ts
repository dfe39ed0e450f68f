import type { AdPlacement } from "../../../../contract/ads.ts";
import type { Db } from "../../../db/connection.ts";
import { AppError } from "../../../lib/app-error.ts";
import type { Clock } from "../../../lib/clock.ts";
import { createGroupCommit } from "../../../lib/group-commit.ts";
import { isUuid } from "../../../lib/ids.ts";
import type { Logger } from "../../../lib/logger.ts";
import {
  deleteExpired,
  recordKey,
  writeEvents,
  type AdEventRecord,
  type CountedEvent,
  type CountResult,
} from "./ad-counts.repository.ts";
import { serveLifetimeMs, type ServeTokens } from "./serve-token.ts";

export interface AdReport {
  adId: string;
  event: CountedEvent;
  placement?: AdPlacement;
  /** The serve token of the response that contained the ad. */
  serve?: string;
  impressionIndex?: number;
  isSuspect: boolean;
  visitorId: string | null;
}

/** Counts the events of ads. */
export interface AdCounting {
  /**
   * Resolves once the count is durable: an acknowledged event survives a crash of the process.
   * Returns false if this serve has reported the event before.
   * @throws AppError not_found for an unknown ad, invalid for a forged or old serve.
   */
  count(report: AdReport): Promise<boolean>;
  /** Resolves when every event reported so far is written. */
  drain(): Promise<void>;
}

/** How often expired serves and visitor counts are deleted. */
const cleanUpEveryMs = 15 * 60 * 1000;

export function createAdCounting(deps: {
  db: Db;
  clock: Clock;
  serves: ServeTokens;
  logger: Logger;
  /** Receives the ads of counted impressions, for limits held in memory. */
  onImpressions?: (adIds: string[]) => void;
}): AdCounting {
  const { db, clock, serves, logger, onImpressions } = deps;
  let cleanedAt = clock.now();
  let cleaning = Promise.resolve();
  let reportsWithoutServe = 0;

  function cleanUp(): void {
    const now = clock.now();
    if (now - cleanedAt < cleanUpEveryMs) return;
    cleanedAt = now;
    cleaning = db
      .transaction()
      .execute((trx) =>
        deleteExpired(
          trx,
          new Date(now - serveLifetimeMs - 3600 * 1000),
          new Date(now - 2 * 86_400_000),
        ),
      )
      .catch((error: unknown) => logger.warn({ err: error }, "expired ad serves were not deleted"));
  }

  const commit = createGroupCommit<AdEventRecord, CountResult>({
    // The same serve twice in one batch would count twice: the second waits for the next batch.
    keyOf: (record) =>
      record.serve === null ? `no serve ${(reportsWithoutServe += 1)}` : recordKey(record),
    maxBatch: 1000,
    write: async (records) => {
      const results = await db
        .transaction()
        .execute((trx) => writeEvents(trx, records, clock.date()));
      onImpressions?.(
        records
          .filter(({ event }, index) => event === "impression" && results[index] === "counted")
          .map(({ adId }) => adId),
      );
      cleanUp();
      return results;
    },
  });

  return {
    async count({ adId, event, placement, serve, impressionIndex = 0, isSuspect, visitorId }) {
      if (!isUuid(adId)) throw new AppError("not_found", "Ad not found");
      const hasServe = serve !== undefined && serve !== "";
      const number = hasServe ? serves.read(serve) : null;
      if (hasServe && number === null) {
        throw new AppError("invalid", "This serve is not ours or too old; ask for ads again.");
      }
      const result = await commit.submit({
        adId: adId.toLowerCase(),
        event,
        placement: placement ?? null,
        serve: number,
        impressionIndex,
        isSuspect,
        visitorId,
      });
      if (result === "unknown") throw new AppError("not_found", "Ad not found");
      return result === "counted";
    },
    async drain() {
      await commit.drain();
      await cleaning;
    },
  };
}
