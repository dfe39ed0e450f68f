import { isRowError, type Db } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createGroupCommit } from "#server/lib/group-commit.ts";
import {
  remainingImpressions,
  type CampaignCounts,
  type CampaignLimit,
} from "../rules/campaign-rules.ts";
import {
  deleteExpiredReservations,
  insertReservations,
  lockLimited,
  readOpenByGroup,
  readTaken,
  readTakenByCampaigns,
  readTakenByVisitors,
  visitorKey,
} from "./reservations.repository.ts";

interface LimitedCampaign {
  id: string;
  limits: readonly CampaignLimit[];
  visitorDailyCap: number | null;
  endsWhenViewable: boolean;
}

/** Reservations requested by a response. */
export interface ReservationRequest {
  /** Number of the serve. */
  serve: string;
  visitorId: string;
  /** Keyed hash of the visitor's address group. */
  addressGroup: string;
  /** True if the page shows only one of the ads. */
  isSingle: boolean;
  ads: readonly {
    id: string;
    /** Impressions allowed so far; Infinity without a limit. */
    allowed: { today: number; total: number };
    visitorDailyCap: number | null;
    /** Null without a campaign, or if it has no limits. */
    campaign: LimitedCampaign | null;
  }[];
}

/** `full`: campaigns whose limits currently allow no impression. */
interface Reserved {
  ads: ReadonlySet<string>;
  full: readonly string[];
}

const reservedMs = 20_000;
const cleanUpEveryMs = 60_000;

/**
 * Returns how much of a limit's remainder one address group can reserve at a time: a quarter, and at
 * most ten or 2%. Requests without impressions, even from several groups, can't stop a campaign.
 */
const groupMax = (left: number) =>
  Math.max(1, Math.min(Math.floor(left / 4), Math.max(10, Math.floor(left / 50))));

function reserveOne(counts: CampaignCounts): void {
  for (const measure of ["hour", "day", "impressions", "viewable"] as const) counts[measure] += 1;
}

/**
 * Reserves impressions of limited ads for the visitors who receive them, so that concurrent
 * visitors can't exceed a limit. Works across processes. A reservation expires after 20 s. An
 * impression reported later still counts.
 */
export function createAdReservations(deps: { db: Db; clock: Clock }) {
  const { db, clock } = deps;
  let cleanedAt = -Infinity;

  async function grant(requests: ReservationRequest[]): Promise<Reserved[]> {
    const wanted = requests.flatMap(({ ads, ...request }) =>
      ads.map((ad) => ({
        ...request,
        ad,
        adId: ad.id,
        campaignId: ad.campaign?.id ?? null,
        endsWhenViewable: ad.campaign?.endsWhenViewable ?? false,
      })),
    );
    const adIds = [...new Set(wanted.map(({ adId }) => adId))];
    const campaignIds = [...new Set(wanted.flatMap(({ campaignId }) => campaignId ?? []))];
    const full = new Set<string>();
    const granted = await db.transaction().execute(async (trx) => {
      await lockLimited(trx, adIds, campaignIds);
      const now = clock.date();
      if (now.getTime() - cleanedAt > cleanUpEveryMs) {
        cleanedAt = now.getTime();
        await deleteExpiredReservations(trx, now);
      }
      const taken = await readTaken(trx, adIds, now);
      const takenByCampaign = await readTakenByCampaigns(trx, campaignIds, now);
      const capsOf = ({ ad, visitorId }: (typeof wanted)[number]) =>
        [ad, ad.campaign].flatMap((capped) =>
          capped === null || capped.visitorDailyCap === null
            ? []
            : [{ id: capped.id, visitorId, cap: capped.visitorDailyCap }],
        );
      const takenByVisitor = await readTakenByVisitors(trx, wanted.flatMap(capsOf), now);
      const groups = [...new Set(wanted.map(({ addressGroup }) => addressGroup))];
      const open = await readOpenByGroup(trx, groups, now);
      const openOf = (group: string, id: string) => open.get(`${group} ${id}`) ?? 0;
      const isCrowded = (group: string, id: string, remaining: number) => {
        const own = openOf(group, id);
        return own >= groupMax(remaining + own);
      };

      const kept = wanted.filter((each) => {
        const { ad, addressGroup } = each;
        const counts = taken.get(ad.id);
        if (counts === undefined) return false;
        const left = Math.min(ad.allowed.today - counts.today, ad.allowed.total - counts.total);
        if (left <= 0 || isCrowded(addressGroup, ad.id, left)) return false;
        const caps = capsOf(each).map((cap) => ({ ...cap, key: visitorKey(cap) }));
        const seen = (key: string) => takenByVisitor.get(key) ?? 0;
        if (caps.some(({ key, cap }) => seen(key) >= cap)) return false;
        if (ad.campaign !== null) {
          const { id, limits } = ad.campaign;
          const reached = takenByCampaign.get(id);
          const remaining = reached === undefined ? 0 : remainingImpressions(limits, reached);
          if (reached === undefined || remaining === 0) {
            full.add(id);
            return false;
          }
          if (isCrowded(addressGroup, id, remaining)) return false;
          reserveOne(reached);
          open.set(`${addressGroup} ${id}`, openOf(addressGroup, id) + 1);
        }
        open.set(`${addressGroup} ${ad.id}`, openOf(addressGroup, ad.id) + 1);
        counts.today += 1;
        counts.total += 1;
        for (const { key } of caps) takenByVisitor.set(key, seen(key) + 1);
        return true;
      });
      await insertReservations(trx, kept, new Date(now.getTime() + reservedMs));
      return kept;
    });
    const byServe = Map.groupBy(granted, ({ serve }) => serve);
    return requests.map(({ serve }) => ({
      ads: new Set((byServe.get(serve) ?? []).map(({ adId }) => adId)),
      full: [...full],
    }));
  }

  const commit = createGroupCommit<ReservationRequest, Reserved>({
    keyOf: ({ serve }) => serve,
    isItemError: isRowError,
    write: grant,
  });
  return {
    /** @returns the ids of the ads that the visitor may get. */
    reserve: commit.submit,
    drain: commit.drain,
  };
}

export type AdReservations = ReturnType<typeof createAdReservations>;
