import type { AdErrorCause, AdOrigin, AdPlacement } from "../../contract/ads.ts";
import { isRowError, type Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createGroupCommit } from "#server/lib/group-commit.ts";
import { isUuid } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import { addCounter, type Metrics } from "#server/lib/metrics/metrics.ts";
import {
  deleteExpired,
  recordKey,
  writeEvents,
  type AdEventRecord,
  type CountResult,
} from "./ad-counts.repository.ts";
import { serveLifetimeMs, type ServeTokens } from "../serves/serve-token.ts";
import { deleteOldWindows } from "./call-bounds.repository.ts";
import type { CountedEvent } from "./serve-events.repository.ts";

export interface AdReport {
  adId: string;
  event: CountedEvent;
  /** Cause of an "error" event. */
  cause?: AdErrorCause;
  /** Placement as reported by the client. */
  placement?: AdPlacement;
  /** Origin as reported by the client. A serve token overrides it. */
  origin?: AdOrigin;
  /** Serve token of the response that contained the ad. */
  serve?: string;
  isRobot: boolean;
  visitorId: string;
  /** Keyed hashes of the client's address and address group. */
  addressKey: string;
  addressGroup: string;
}

/** Interval for deleting expired serves and visitor counts. */
const cleanUpEveryMs = 15 * 60 * 1000;

function kindOf({ serve, isRobot }: AdEventRecord): "robot" | "verified" | "unverified" {
  if (isRobot) return "robot";
  return serve === null ? "unverified" : "verified";
}

/** Counts ad events. */
export function createAdCounting(deps: {
  db: Db;
  clock: Clock;
  serves: ServeTokens;
  logger: Logger;
  metrics: Metrics;
}) {
  const { db, clock, serves, logger, metrics } = deps;
  const impressions = addCounter(
    metrics,
    "kinora_ad_impressions_total",
    "Counted ad impressions: verified, without a token, and from bots.",
    [{ kind: "verified" }, { kind: "unverified" }, { kind: "robot" }],
  );
  let cleanedAt = clock.now();
  let cleaning = Promise.resolve();
  let reportsWithoutServe = 0;

  function cleanUp(): void {
    const now = clock.now();
    if (now - cleanedAt < cleanUpEveryMs) return;
    cleanedAt = now;
    cleaning = db
      .transaction()
      .execute(async (trx) => {
        await deleteExpired(
          trx,
          new Date(now - serveLifetimeMs - 3600 * 1000),
          new Date(now - 2 * 86_400_000),
        );
        await deleteOldWindows(trx, new Date(now));
      })
      .catch((error: unknown) => logger.warn({ err: error }, "couldn't delete expired ad serves"));
  }

  const commit = createGroupCommit<AdEventRecord, CountResult>({
    // The same serve twice in one batch would count twice, so the second waits for the next batch.
    keyOf: (record) =>
      record.serve === null ? `no serve ${(reportsWithoutServe += 1)}` : recordKey(record),
    isItemError: isRowError,
    maxBatch: 2000,
    write: async (records) => {
      const results = await db
        .transaction()
        .execute((trx) => writeEvents(trx, records, clock.date()));
      const counted = records.filter(
        ({ event }, index) => event === "impression" && results[index] === "counted",
      );
      for (const record of counted) impressions.inc({ kind: kindOf(record) });
      cleanUp();
      return results;
    },
  });

  return {
    /**
     * Counts an event. Resolves once the count is durable: an acknowledged event survives a crash
     * of the process.
     *
     * With a serve token, an event is verified and counts once, after the events that must precede
     * it and within a bound per address group. Without one, impressions and clicks count within
     * bounds per visitor and address. Returns false if the event didn't count: it was counted
     * before, exceeds a bound, needs a token, or the ad isn't running.
     * @throws AppError not_found for an unknown ad; invalid for a token that is forged, expired, or
     * for another visitor, ad or placement.
     */
    async count({ serve, placement, origin = "site", ...report }: AdReport): Promise<boolean> {
      const atMs = clock.now();
      if (!isUuid(report.adId)) throw new AppError("not_found", "Ad not found");
      const adId = report.adId.toLowerCase();
      const hasServe = serve !== undefined && serve !== "";
      const read = hasServe ? serves.read(serve, report.visitorId) : null;
      const isOther =
        read !== null &&
        (!read.hasAd(adId) ||
          (placement !== undefined && read.placement !== null && placement !== read.placement));
      if (isOther || (hasServe && read === null)) {
        throw new AppError("invalid", "Invalid or expired ad token.");
      }
      const result = await commit.submit({
        cause: "other",
        ...report,
        adId,
        origin: read?.origin ?? origin,
        serve: read?.serve ?? null,
        atMs,
      });
      if (result === "unknown") throw new AppError("not_found", "Ad not found");
      return result === "counted";
    },
    /** Resolves once every event reported so far is written. */
    async drain(): Promise<void> {
      await commit.drain();
      await cleaning;
    },
  };
}

export type AdCounting = ReturnType<typeof createAdCounting>;
