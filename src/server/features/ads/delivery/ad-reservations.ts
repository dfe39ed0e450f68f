import { mayBeOfOneRow, type Db } from "../../../db/connection.ts";
import type { Clock } from "../../../lib/clock.ts";
import { createGroupCommit } from "../../../lib/group-commit.ts";
import {
  deleteExpiredReservations,
  insertReservations,
  lockAds,
  readTaken,
  readTakenByVisitors,
  visitorKey,
} from "./reservations.repository.ts";

/** What a response would like to contain. */
interface ReservationRequest {
  /** The number of the serve. */
  serve: string;
  visitorId: string;
  /** Whether the page shows one of the ads. */
  isSingle: boolean;
  ads: readonly {
    id: string;
    /** How many impressions the limits allow by now; Infinity without a limit. */
    allowed: { today: number; total: number };
    visitorDailyCap: number | null;
  }[];
}

/**
 * Keeps the impressions of limited ads for the visitors to whom they are sent, so that many visitors
 * at once cannot exceed a limit. Holds over all processes. An impression that is not reported in 60 s
 * goes to another visitor; if it comes later, it counts all the same.
 */
export interface AdReservations {
  /** @returns the ids of the ads that the visitor may get. */
  reserve(request: ReservationRequest): Promise<ReadonlySet<string>>;
  drain(): Promise<void>;
}

const reservedMs = 60_000;
const cleanUpEveryMs = 60_000;

export function createAdReservations(deps: { db: Db; clock: Clock }): AdReservations {
  const { db, clock } = deps;
  let cleanedAt = -Infinity;

  async function grant(requests: ReservationRequest[]): Promise<ReadonlySet<string>[]> {
    const wanted = requests.flatMap(({ ads, ...request }) =>
      ads.map((ad) => ({ ...request, ad, adId: ad.id })),
    );
    const adIds = [...new Set(wanted.map(({ adId }) => adId))];
    return db.transaction().execute(async (trx) => {
      await lockAds(trx, adIds);
      const now = clock.date();
      if (now.getTime() - cleanedAt > cleanUpEveryMs) {
        cleanedAt = now.getTime();
        await deleteExpiredReservations(trx, now);
      }
      const taken = await readTaken(trx, adIds, now);
      const capped = wanted.filter(({ ad }) => ad.visitorDailyCap !== null);
      const takenByVisitor = await readTakenByVisitors(trx, capped, now);

      const granted = wanted.filter((each) => {
        const { ad } = each;
        const counts = taken.get(ad.id);
        if (counts === undefined) return false;
        if (counts.today >= ad.allowed.today || counts.total >= ad.allowed.total) return false;
        const seen = takenByVisitor.get(visitorKey(each)) ?? 0;
        if (ad.visitorDailyCap !== null && seen >= ad.visitorDailyCap) return false;
        counts.today += 1;
        counts.total += 1;
        takenByVisitor.set(visitorKey(each), seen + 1);
        return true;
      });
      await insertReservations(trx, granted, new Date(now.getTime() + reservedMs));
      const byServe = Map.groupBy(granted, ({ serve }) => serve);
      return requests.map(
        ({ serve }) => new Set((byServe.get(serve) ?? []).map(({ adId }) => adId)),
      );
    });
  }

  const commit = createGroupCommit<ReservationRequest, ReadonlySet<string>>({
    keyOf: ({ serve }) => serve,
    mayBeOfOne: mayBeOfOneRow,
    write: grant,
  });
  return { reserve: commit.submit, drain: commit.drain };
}
