import { setTimeout as wait } from "node:timers/promises";
import { mayBeOfOneRow, type Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createGroupCommit } from "#server/lib/group-commit.ts";
import {
  createCampaignCredit,
  leaseUseMs,
  type CampaignCredit,
} from "../delivery/campaign-credit.ts";
import { remainingOf, type CampaignCounts, type CampaignLimit } from "../rules/campaign-rules.ts";
import {
  deleteExpiredReservations,
  insertLeases,
  insertReservations,
  lockLimited,
  readTaken,
  readTakenByCampaigns,
  readTakenByVisitors,
  visitorKey,
} from "./reservations.repository.ts";

interface LimitedCampaign {
  id: string;
  limits: readonly CampaignLimit[];
}

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
    /** Null for an ad alone, or where its campaign has no limits. */
    campaign: (LimitedCampaign & { isUntilViewable: boolean }) | null;
  }[];
}

/**
 * Keeps the impressions of limited ads and campaigns for the visitors to whom they are sent, so that
 * many visitors at once cannot exceed a limit. Holds over all processes. An impression that is not
 * reported in 60 s goes to another visitor; if it comes later, it counts all the same.
 */
export interface AdReservations {
  /** @returns the ids of the ads that the visitor may get. */
  reserve(request: ReservationRequest): Promise<ReadonlySet<string>>;
  /** Renews the lease of a campaign. Where that fails, the next request reserves for itself. */
  renew(campaign: LimitedCampaign): void;
  credit: CampaignCredit;
  drain(): Promise<void>;
}

const reservedMs = 60_000;
const cleanUpEveryMs = 60_000;
/**
 * From so many remaining impressions on a process leases a part of them, at most twice what it used of
 * the lease before, so that a request need not wait for the database. What is leased is not sent by
 * another process, so the limit holds.
 */
const leaseFrom = 200;
const leasedPart = 1 / 8;
/** Leases that are due in this time are renewed together. */
const renewEveryMs = 50;

const toRows = (leases: ReadonlyMap<string, number>) =>
  [...leases].map(([campaignId, impressions]) => ({ campaignId, impressions }));
const leasedUntil = (now: Date) => new Date(now.getTime() + leaseUseMs + reservedMs);

/** What an ad's reservation says of its campaign. */
const keptFor = ({ campaign }: ReservationRequest["ads"][number]) => ({
  campaignId: campaign?.id ?? null,
  isUntilViewable: campaign?.isUntilViewable ?? false,
});

function takeFrom(counts: CampaignCounts, impressions: number): void {
  for (const measure of ["hour", "day", "impressions", "viewable"] as const) {
    counts[measure] += impressions;
  }
}

export function createAdReservations(deps: { db: Db; clock: Clock }): AdReservations {
  const { db, clock } = deps;
  const credit = createCampaignCredit(clock);
  let cleanedAt = -Infinity;

  /** Adds a lease to `leases`, if there is enough left. */
  function lease(
    id: string,
    remaining: number,
    reached: CampaignCounts,
    leases: Map<string, number>,
  ): void {
    if (remaining < leaseFrom) return;
    const impressions = Math.floor(Math.min(remaining * leasedPart, credit.nextSize(id)));
    leases.set(id, impressions);
    takeFrom(reached, impressions);
  }

  async function leaseAll(campaigns: readonly LimitedCampaign[]): Promise<void> {
    const ids = campaigns.map(({ id }) => id);
    const leases = new Map<string, number>();
    await db.transaction().execute(async (trx) => {
      await lockLimited(trx, [], ids);
      const now = clock.date();
      const taken = await readTakenByCampaigns(trx, ids, now);
      for (const { id, limits } of campaigns) {
        const reached = taken.get(id);
        if (reached !== undefined) lease(id, remainingOf(limits, reached), reached, leases);
      }
      await insertLeases(trx, toRows(leases), leasedUntil(now));
    });
    for (const [id, impressions] of leases) credit.add(id, impressions);
  }

  async function grant(requests: ReservationRequest[]): Promise<ReadonlySet<string>[]> {
    const wanted = requests.flatMap(({ ads, ...request }) =>
      ads.map((ad) => ({ ...request, ad, adId: ad.id, ...keptFor(ad) })),
    );
    const adIds = [...new Set(wanted.map(({ adId }) => adId))];
    const campaignIds = [...new Set(wanted.flatMap(({ campaignId }) => campaignId ?? []))];
    const leases = new Map<string, number>();
    const refused = new Set<string>();
    const granted = await db.transaction().execute(async (trx) => {
      await lockLimited(trx, adIds, campaignIds);
      const now = clock.date();
      if (now.getTime() - cleanedAt > cleanUpEveryMs) {
        cleanedAt = now.getTime();
        await deleteExpiredReservations(trx, now);
      }
      const taken = await readTaken(trx, adIds, now);
      const takenByCampaign = await readTakenByCampaigns(trx, campaignIds, now);
      const capped = wanted.filter(({ ad }) => ad.visitorDailyCap !== null);
      const takenByVisitor = await readTakenByVisitors(trx, capped, now);

      const kept = wanted.filter((each) => {
        const { ad } = each;
        const counts = taken.get(ad.id);
        if (counts === undefined) return false;
        if (counts.today >= ad.allowed.today || counts.total >= ad.allowed.total) return false;
        const seen = takenByVisitor.get(visitorKey(each)) ?? 0;
        if (ad.visitorDailyCap !== null && seen >= ad.visitorDailyCap) return false;
        if (ad.campaign !== null) {
          const { id, limits } = ad.campaign;
          const reached = takenByCampaign.get(id);
          const remaining = reached === undefined ? 0 : remainingOf(limits, reached);
          if (reached === undefined || remaining === 0) {
            refused.add(id);
            return false;
          }
          takeFrom(reached, 1);
          if (!leases.has(id)) lease(id, remaining, reached, leases);
        }
        counts.today += 1;
        counts.total += 1;
        takenByVisitor.set(visitorKey(each), seen + 1);
        return true;
      });
      await insertReservations(trx, kept, new Date(now.getTime() + reservedMs));
      await insertLeases(trx, toRows(leases), leasedUntil(now));
      return kept;
    });
    for (const [id, impressions] of leases) credit.add(id, impressions);
    for (const id of refused) credit.refuse(id);
    const byServe = Map.groupBy(granted, ({ serve }) => serve);
    return requests.map(({ serve }) => new Set((byServe.get(serve) ?? []).map(({ adId }) => adId)));
  }

  const commit = createGroupCommit<ReservationRequest, ReadonlySet<string>>({
    keyOf: ({ serve }) => serve,
    mayBeOfOne: mayBeOfOneRow,
    write: grant,
  });
  const due = new Map<string, LimitedCampaign>();
  let renewing: Promise<void> | null = null;

  /** No request waits for it, so many campaigns can share one transaction. */
  async function renewDue(): Promise<void> {
    while (due.size > 0) {
      await wait(renewEveryMs);
      const campaigns = [...due.values()];
      due.clear();
      await leaseAll(campaigns).catch(() => undefined);
    }
    renewing = null;
  }

  return {
    reserve: commit.submit,
    renew(campaign) {
      due.set(campaign.id, campaign);
      renewing ??= renewDue();
    },
    credit,
    async drain() {
      await commit.drain();
      await renewing;
    },
  };
}
