import type { AdPlacement } from "../../../contract/ads.ts";
import type { Db } from "../../db/connection.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { createGroupCommit } from "../../lib/group-commit.ts";
import { isUuid } from "../../lib/ids.ts";
import type { Logger } from "../../lib/logger.ts";
import {
  forgetOld,
  happeningKey,
  writeHappenings,
  type AdHappening,
  type CountedEvent,
  type HappeningResult,
} from "./ad-counts.repository.ts";
import { serveLifetimeMs, type ServeTokens } from "./serve-token.ts";

export interface AdReport {
  adId: string;
  event: CountedEvent;
  placement?: AdPlacement;
  /** The serve token of the answer that the ad came with. */
  serve?: string;
  turn?: number;
  isSuspect: boolean;
  visitorId: string | null;
}

/** Counts what happens to ads. */
export interface AdCounting {
  /**
   * Resolves once the count is durable: what was acknowledged survives a crash of the process.
   * False where this serve had told of it before.
   * @throws AppError not_found for an unknown ad, invalid for a forged or old serve.
   */
  count(report: AdReport): Promise<boolean>;
  /** Resolves when everything reported so far is written. */
  drain(): Promise<void>;
}

/** How often old serves and caps are forgotten. */
const tidyEveryMs = 15 * 60 * 1000;

export function createAdCounting(deps: {
  db: Db;
  clock: Clock;
  serves: ServeTokens;
  logger: Logger;
  /** Told of every impression that counted, for limits kept in memory. */
  onShown?: (adIds: string[]) => void;
}): AdCounting {
  const { db, clock, serves, logger, onShown } = deps;
  let tidiedAt = clock.now();
  let tidying = Promise.resolve();
  let plainReports = 0;

  function tidy(): void {
    const now = clock.now();
    if (now - tidiedAt < tidyEveryMs) return;
    tidiedAt = now;
    tidying = db
      .transaction()
      .execute((trx) =>
        forgetOld(
          trx,
          new Date(now - serveLifetimeMs - 3600 * 1000),
          new Date(now - 2 * 86_400_000),
        ),
      )
      .catch((error: unknown) => logger.warn({ err: error }, "old ad serves were not forgotten"));
  }

  const commit = createGroupCommit<AdHappening, HappeningResult>({
    // The same serve twice in one batch would count twice: it waits for the next.
    keyOf: (one) => (one.serve === null ? `plain ${(plainReports += 1)}` : happeningKey(one)),
    maxBatch: 1000,
    write: async (happenings) => {
      const results = await db
        .transaction()
        .execute((trx) => writeHappenings(trx, happenings, clock.date()));
      onShown?.(
        happenings
          .filter((one, at) => one.event === "impression" && results[at] === "counted")
          .map((one) => one.adId),
      );
      tidy();
      return results;
    },
  });

  return {
    async count({ adId, event, placement, serve, turn = 0, isSuspect, visitorId }) {
      if (!isUuid(adId)) throw new AppError("not_found", "Ad not found");
      const number = serve === undefined || serve === "" ? null : serves.read(serve);
      if (number === null && serve !== undefined && serve !== "") {
        throw new AppError("invalid", "This serve is not ours or too old; ask for ads again.");
      }
      const result = await commit.submit({
        adId: adId.toLowerCase(),
        event,
        placement: placement ?? null,
        serve: number,
        turn,
        isSuspect,
        visitorId,
      });
      if (result === "unknown") throw new AppError("not_found", "Ad not found");
      return result === "counted";
    },
    async drain() {
      await commit.drain();
      await tidying;
    },
  };
}
