import type { AdCounts } from "../../contract/ads.ts";
import type {
  AdReport,
  Money,
  ReportFigures,
  ReportGroup,
  ReportQuery,
  SharedReport,
} from "../../contract/campaigns.ts";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { sha256 } from "#server/lib/ids.ts";
import { addCounts, noAdCounts } from "../records/ad-stats.repository.ts";
import { bookFlatPrices } from "../records/campaign-days.repository.ts";
import { toMoney } from "../rules/campaign-pricing.ts";
import { findAdvertiserByShare } from "../records/campaigns.repository.ts";
import { addDays, dayIn } from "../../contract/site-zone.ts";
import {
  readReportErrors,
  readReportParts,
  readRequests,
  readRevenue,
  type ReportPart,
  type ReportRevenue,
  type ReportScope,
  type RequestCounts,
} from "./ad-report.repository.ts";

const defaultDays = 30;
const unknown = { requests: null, filled: null, robotRequests: null };

/** Adds up the parts of one row, or of all of them. */
function createSum() {
  let counts: AdCounts = noAdCounts;
  const earnings = new Map<string, { micros: number; impressions: number }>();
  const earningsIn = (currency: string) => {
    const earned = earnings.get(currency) ?? { micros: 0, impressions: 0 };
    earnings.set(currency, earned);
    return earned;
  };
  return {
    add({
      currency,
      key: _key,
      name: _name,
      campaignName: _campaign,
      advertiserName: _advertiser,
      ...part
    }: ReportPart): void {
      counts = addCounts(counts, part);
      if (currency !== null) earningsIn(currency).impressions += part.impressions;
    },
    earn({ currency, micros }: ReportRevenue): void {
      earningsIn(currency).micros += micros;
    },
    figures(): ReportFigures {
      const revenue = [...earnings].map(([currency, { micros, impressions }]): Money => ({
        currency,
        amount: toMoney(micros),
        ecpm: impressions === 0 ? 0 : toMoney((micros * 1000) / impressions),
      }));
      return { ...counts, revenue: revenue.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)) };
    },
  };
}

/** Reports of results and revenue. Every number is a sum of stored counts. */
export function createAdReports({
  db,
  clock,
  settings,
}: {
  db: Db;
  clock: Clock;
  settings: Pick<SettingsService, "current">;
}) {
  async function readScope(scope: ReportScope, group: ReportGroup): Promise<AdReport> {
    await bookFlatPrices(db, clock.date(), null);
    const parts = await readReportParts(db, scope, group);
    const revenue = await readRevenue(db, scope, group);
    // Requests belong to a placement and an origin, not to a campaign.
    const isSiteWide = scope.advertiser === undefined && scope.campaign === undefined;
    const byGroup = group === "placement" || group === "origin" ? group : "day";
    const requests = isSiteWide ? await readRequests(db, scope, byGroup) : null;
    const hasRequests = group === byGroup;

    const rows = new Map<string, RowNames & { sum: ReturnType<typeof createSum> }>();
    const rowOf = (key: string, names: RowNames) => {
      const row = rows.get(key) ?? { ...names, sum: createSum() };
      rows.set(key, row);
      return row;
    };
    if (group === "day") for (const day of daysOf(scope)) rowOf(day, nameOnly(day));
    const total = createSum();
    for (const part of parts) {
      rowOf(part.key, namesOf(part, group)).sum.add(part);
      total.add(part);
    }
    for (const earned of revenue) {
      if (earned.key !== null) rowOf(earned.key, namesOf(earned, group)).sum.earn(earned);
      total.earn(earned);
    }
    if (hasRequests) for (const key of requests?.keys() ?? []) rowOf(key, nameOnly(key));

    return {
      timeZone: (await settings.current()).timeZone,
      from: scope.from,
      to: scope.to,
      rows: [...rows].map(([key, { sum, ...names }]) => ({
        key,
        ...names,
        ...sum.figures(),
        ...(requests === null || !hasRequests ? unknown : (requests.get(key) ?? noRequests)),
      })),
      totals: {
        ...total.figures(),
        ...(requests === null ? unknown : [...requests.values()].reduce(addRequests, noRequests)),
      },
      errorCauses: await readReportErrors(db, scope),
    };
  }

  /** Returns the first and last of the last `days` days, which include today. */
  async function datesOf(days: number) {
    const to = dayIn((await settings.current()).timeZone, clock.now());
    return { from: addDays(to, 1 - days), to };
  }

  return {
    async read({
      days = defaultDays,
      from,
      to,
      group = "day",
      ...filters
    }: ReportQuery): Promise<AdReport> {
      const dates = from === undefined || to === undefined ? await datesOf(days) : { from, to };
      return readScope({ ...filters, ...dates }, group);
    },
    /**
     * Reads one advertiser's report. @throws AppError not_found for an unknown or invalidated key.
     */
    async readShared(key: string, days: number): Promise<SharedReport> {
      const advertiser = await findAdvertiserByShare(db, sha256(key));
      if (advertiser === null) throw new AppError("not_found", "This link has stopped working.");
      const scope = { advertiser: advertiser.id, ...(await datesOf(days)) };
      return {
        advertiser: advertiser.name,
        days: await readScope(scope, "day"),
        campaigns: await readScope(scope, "campaign"),
      };
    },
  };
}

export type AdReports = ReturnType<typeof createAdReports>;

interface RowNames {
  name: string;
  campaign: string | null;
  advertiser: string | null;
}

const nameOnly = (name: string): RowNames => ({ name, campaign: null, advertiser: null });

function namesOf(
  {
    name,
    campaignName,
    advertiserName,
  }: Pick<ReportPart, "name" | "campaignName" | "advertiserName">,
  group: ReportGroup,
): RowNames {
  if (group === "advertiser") return { ...nameOnly(name), advertiser: name };
  if (group !== "ad" && group !== "campaign") return nameOnly(name);
  return { name, campaign: campaignName, advertiser: advertiserName };
}

const noRequests: RequestCounts = { requests: 0, filled: 0, robotRequests: 0 };

const addRequests = (a: RequestCounts, b: RequestCounts): RequestCounts => ({
  requests: a.requests + b.requests,
  filled: a.filled + b.filled,
  robotRequests: a.robotRequests + b.robotRequests,
});

function daysOf({ from, to }: ReportScope): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
