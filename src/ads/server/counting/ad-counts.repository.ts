import { sql } from "kysely";
import type { AdErrorCause, AdOrigin, AdPlacement, AdType } from "../../contract/ads.ts";
import type { Trx } from "#server/db/connection.ts";
import {
  endReservations,
  listCampaignCounts,
  listVerifiedCounts,
  listVisitorCounts,
  visitorKey,
} from "../serves/reservations.repository.ts";
import { siteDay, siteZone } from "#server/db/site-day.sql.ts";
import { storedCounts } from "../records/ad-stats.repository.ts";
import { bookEvents } from "../records/campaign-days.repository.ts";
import { takeUnverified, takeVerified } from "./call-bounds.repository.ts";
import {
  dropUnfounded,
  insertServeEvents,
  selectFresh,
  type CountedEvent,
} from "./serve-events.repository.ts";

/** Event of one impression of an ad. */
export interface AdEventRecord {
  adId: string;
  event: CountedEvent;
  cause: AdErrorCause;
  /** Where the ad was shown. */
  origin: AdOrigin;
  /** Signed 64-bit number in decimal of a valid serve token, or null if the client sent none. */
  serve: string | null;
  isRobot: boolean;
  visitorId: string;
  /** Keyed hashes of the client's address and address group. */
  addressKey: string;
  addressGroup: string;
  /** Arrival time of the report. */
  atMs: number;
}

/** Returns whether a visitor who isn't a bot reported the event with a serve token. */
const isVerified = ({ serve, isRobot }: AdEventRecord) => serve !== null && !isRobot;

/**
 * `ignored`: repeated, out of order, beyond a bound, for an inactive ad, or without a required
 * token.
 */
export type CountResult = "counted" | "ignored" | "unknown";

const columnOf: Record<CountedEvent, string> = {
  impression: "impressions",
  click: "clicks",
  viewable: "viewable",
  start: "starts",
  firstQuartile: "first_quartiles",
  midpoint: "midpoints",
  thirdQuartile: "third_quartiles",
  complete: "completes",
  skip: "skips",
  error: "errors",
};
/** Totals, and the parts of them that come from embeds. */
const columns = [...storedCounts, ...storedCounts.map((column) => `embed_${column}`)];

interface LockedAd {
  type: AdType;
  placement: AdPlacement;
  campaignId: string | null;
  /** Maximum impressions of the ad, and of its campaign; null without a limit. */
  dailyLimit: number | null;
  totalLimit: number | null;
  caps: Record<"hour" | "day" | "impressions", number | null>;
  /** Maximum impressions per visitor and day of the ad and of its campaign. */
  visitorCaps: { id: string; cap: number }[];
  isLive: boolean;
}

const isSpecifiedEvent = ({ event }: AdEventRecord) => event === "impression" || event === "click";
type ServedRecord = AdEventRecord & { serve: string };
const isServed = (record: AdEventRecord): record is ServedRecord => record.serve !== null;
/** Records with the same key count once. */
export const recordKey = ({ serve, adId, event }: AdEventRecord) => `${serve} ${adId} ${event}`;

/**
 * Writes a batch: totals, statistics of the day, serves and visitor caps. Locks the rows of the
 * ads, so that only one process counts at a time.
 */
export async function writeEvents(
  trx: Trx,
  records: readonly AdEventRecord[],
  now: Date,
): Promise<CountResult[]> {
  const ads = await lockAds(trx, [...new Set(records.map((record) => record.adId))], now);
  const live = records.filter(({ adId }) => ads.get(adId)?.isLive === true);
  const served = live
    .filter(isServed)
    .filter((record) => isSpecifiedEvent(record) || !record.isRobot);
  const unserved = live.filter((record) => record.serve === null && isSpecifiedEvent(record));
  const fresh = await selectFresh(trx, served, (id) => ads.get(id)?.type === "video");
  const robots = fresh.filter(({ isRobot }) => isRobot);
  const visitors = fresh.filter(({ isRobot }) => !isRobot);
  const taken = await takeVerified(trx, visitors, now);
  const verified = dropUnfounded(visitors, await dropBeyondCaps(trx, taken, ads, now));
  await insertServeEvents(trx, [...robots, ...verified]);
  const counted = new Set<AdEventRecord>([
    ...robots,
    ...verified,
    ...(await takeUnverified(trx, unserved, now)),
  ]);

  if (counted.size > 0) {
    const list = [...counted];
    await addTotals(trx, list);
    await addToDay(trx, list, ads, now);
    await addErrors(trx, list, now);
    await addToCaps(trx, list, ads, now);
    await addToCampaigns(trx, list, ads, now);
    const impressions = list.filter(({ event }) => event === "impression" || event === "viewable");
    await endReservations(trx, impressions);
  }
  return records.map((record) => {
    if (counted.has(record)) return "counted";
    return ads.has(record.adId) ? "ignored" : "unknown";
  });
}

const noLimit = (limit: number | null) => limit === null;
const hasVisitorCap = (ad: LockedAd | undefined) => ad !== undefined && ad.visitorCaps.length > 0;

/**
 * Drops impressions beyond a limit or visitor cap of their ad or campaign. Reservations keep to the
 * limits, but a page may show an ad after its reservation has expired.
 */
async function dropBeyondCaps<E extends AdEventRecord>(
  trx: Trx,
  events: readonly E[],
  ads: ReadonlyMap<string, LockedAd>,
  now: Date,
): Promise<E[]> {
  const limited = new Set(
    events.filter(({ event, adId }) => {
      const ad = ads.get(adId);
      if (event !== "impression" || ad === undefined) return false;
      const limits = [ad.dailyLimit, ad.totalLimit, ...Object.values(ad.caps)];
      return hasVisitorCap(ad) || !limits.every(noLimit);
    }),
  );
  if (limited.size === 0) return [...events];
  const adIds = [...new Set([...limited].map(({ adId }) => adId))];
  const ofAds = await listVerifiedCounts(trx, adIds, now);
  const campaignIds = [...new Set(adIds.flatMap((id) => ads.get(id)?.campaignId ?? []))];
  const ofCampaigns = await listCampaignCounts(trx, campaignIds, now);
  const capped = [...limited].filter(({ adId }) => hasVisitorCap(ads.get(adId)));
  const visitorIds = [...new Set(capped.map(({ visitorId }) => visitorId))];
  const ofVisitors =
    visitorIds.length === 0
      ? new Map<string, number>()
      : await listVisitorCounts(trx, visitorIds, now);
  const isFull = (count: number | undefined, limit: number | null) =>
    limit !== null && (count ?? 0) >= limit;
  return events.filter((event) => {
    const ad = ads.get(event.adId);
    if (!limited.has(event) || ad === undefined) return true;
    const { dailyLimit, totalLimit, caps, campaignId } = ad;
    const visitorCaps = ad.visitorCaps.map(({ id, cap }) => ({
      key: visitorKey({ id, visitorId: event.visitorId }),
      cap,
    }));
    const own = ofAds.get(event.adId);
    const campaign = campaignId === null ? undefined : ofCampaigns.get(campaignId);
    if (isFull(own?.today, dailyLimit) || isFull(own?.total, totalLimit)) return false;
    const measures = ["hour", "day", "impressions"] as const;
    if (measures.some((measure) => isFull(campaign?.[measure], caps[measure]))) return false;
    if (visitorCaps.some(({ key, cap }) => isFull(ofVisitors.get(key), cap))) return false;
    for (const { key } of visitorCaps) ofVisitors.set(key, (ofVisitors.get(key) ?? 0) + 1);
    if (own !== undefined) {
      own.today += 1;
      own.total += 1;
    }
    if (campaign !== undefined) for (const measure of measures) campaign[measure] += 1;
    return true;
  });
}

/**
 * Locks the ads, then their campaigns, each in the order of their ids, so that two processes can't
 * deadlock.
 */
async function lockAds(trx: Trx, ids: string[], now: Date): Promise<Map<string, LockedAd>> {
  const rows = await trx
    .selectFrom("ads")
    .select(["id", "type", "placement", "visitor_daily_cap", "is_active", "starts_at", "ends_at"])
    .select(["campaign_id", "daily_limit", "total_limit"])
    .where("id", "=", sql<string>`any(${ids}::uuid[])`)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  const campaignIds = [...new Set(rows.flatMap((row) => row.campaign_id ?? []))];
  const campaigns =
    campaignIds.length === 0
      ? []
      : await trx
          .selectFrom("campaigns")
          .select(["id", "is_active", "starts_at", "ends_at", "visitor_daily_cap"])
          .select(["hourly_cap", "daily_cap", "lifetime_cap"])
          .where("id", "=", sql<string>`any(${campaignIds}::uuid[])`)
          .orderBy("id")
          .forNoKeyUpdate()
          .execute();
  const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  return new Map(
    rows.map((row) => {
      const campaign = row.campaign_id === null ? null : byId.get(row.campaign_id);
      const ad: LockedAd = {
        type: row.type,
        placement: row.placement,
        campaignId: row.campaign_id,
        dailyLimit: row.daily_limit,
        totalLimit: row.total_limit,
        caps: {
          hour: campaign?.hourly_cap ?? null,
          day: campaign?.daily_cap ?? null,
          impressions: campaign?.lifetime_cap ?? null,
        },
        visitorCaps: [row, campaign].flatMap((each) =>
          each?.visitor_daily_cap == null ? [] : [{ id: each.id, cap: each.visitor_daily_cap }],
        ),
        isLive:
          isRunning(row, now) &&
          (campaign === null || (campaign !== undefined && isRunning(campaign, now))),
      };
      return [row.id, ad];
    }),
  );
}

function isRunning(
  row: { is_active: boolean; starts_at: Date | null; ends_at: Date | null },
  now: Date,
): boolean {
  return (
    row.is_active &&
    (row.starts_at === null || row.starts_at <= now) &&
    (row.ends_at === null || now < row.ends_at)
  );
}

async function addTotals(trx: Trx, counted: readonly AdEventRecord[]): Promise<void> {
  const none = { impressions: 0, clicks: 0, verifiedImpressions: 0, verifiedClicks: 0 };
  const totals = new Map<string, typeof none>();
  for (const record of counted.filter(isSpecifiedEvent)) {
    const sum = totals.get(record.adId) ?? { ...none };
    const verified = isVerified(record) ? 1 : 0;
    if (record.event === "click") {
      sum.clicks += 1;
      sum.verifiedClicks += verified;
    } else {
      sum.impressions += 1;
      sum.verifiedImpressions += verified;
    }
    totals.set(record.adId, sum);
  }
  if (totals.size === 0) return;
  const sums = [...totals.values()];
  await sql`
    update ads set
      impressions = ads.impressions + given.impressions,
      clicks = ads.clicks + given.clicks,
      verified_impressions = ads.verified_impressions + given.verified_impressions,
      verified_clicks = ads.verified_clicks + given.verified_clicks
    from unnest(
      ${[...totals.keys()]}::uuid[],
      ${sums.map((sum) => sum.impressions)}::bigint[],
      ${sums.map((sum) => sum.clicks)}::bigint[],
      ${sums.map((sum) => sum.verifiedImpressions)}::bigint[],
      ${sums.map((sum) => sum.verifiedClicks)}::bigint[]
    ) as given (id, impressions, clicks, verified_impressions, verified_clicks)
    where ads.id = given.id`.execute(trx);
}

async function addToDay(
  trx: Trx,
  counted: readonly AdEventRecord[],
  ads: ReadonlyMap<string, LockedAd>,
  now: Date,
): Promise<void> {
  const sums = new Map<
    string,
    { adId: string; placement: AdPlacement; counts: Map<string, number> }
  >();
  for (const record of counted) {
    const { adId, event } = record;
    const placement = ads.get(adId)?.placement ?? "header";
    const sum = sums.get(adId) ?? { adId, placement, counts: new Map<string, number>() };
    const increment = (column: string) => sum.counts.set(column, (sum.counts.get(column) ?? 0) + 1);
    const add = (column: string) => {
      increment(column);
      if (record.origin === "embed") increment(`embed_${column}`);
    };
    add(columnOf[event]);
    if (isSpecifiedEvent(record)) {
      if (record.isRobot) add(`suspect_${columnOf[event]}`);
      if (isVerified(record)) add(`verified_${columnOf[event]}`);
    }
    sums.set(adId, sum);
  }
  const entries = [...sums.values()];
  const arrays = columns.map(
    (column) => sql`${entries.map((sum) => sum.counts.get(column) ?? 0)}::bigint[]`,
  );
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const sets = sql.join(
    columns.map(
      (column) => sql`${sql.ref(column)} = s.${sql.ref(column)} + excluded.${sql.ref(column)}`,
    ),
  );
  await sql`
    insert into ad_stats_daily as s (ad_id, day, placement, ${names})
    select ad_id, ${siteDay(now)}, placement, ${names}
    from unnest(
      ${entries.map((sum) => sum.adId)}::uuid[],
      ${entries.map((sum) => sum.placement)}::text[],
      ${sql.join(arrays)}
    ) as given (ad_id, placement, ${names})
    order by ad_id, placement
    on conflict (ad_id, day, placement) do update set ${sets}`.execute(trx);
}

async function addErrors(trx: Trx, counted: readonly AdEventRecord[], now: Date): Promise<void> {
  const errors = counted.filter(({ event }) => event === "error");
  if (errors.length === 0) return;
  await sql`
    insert into ad_errors_daily as e (ad_id, day, cause, errors)
    select ad_id, ${siteDay(now)}, cause, count(*)
    from unnest(
      ${errors.map(({ adId }) => adId)}::uuid[],
      ${errors.map(({ cause }) => cause)}::text[]
    ) as given (ad_id, cause)
    group by ad_id, cause order by ad_id, cause
    on conflict (ad_id, day, cause) do update set errors = e.errors + excluded.errors`.execute(trx);
}

/** Adds verified events to their campaigns: the totals, and the impressions of this hour. */
async function addToCampaigns(
  trx: Trx,
  counted: readonly AdEventRecord[],
  ads: ReadonlyMap<string, LockedAd>,
  now: Date,
): Promise<void> {
  const sums = new Map<string, { impressions: number; viewable: number; clicks: number }>();
  for (const record of counted.filter(isVerified)) {
    const campaignId = ads.get(record.adId)?.campaignId ?? null;
    const { event } = record;
    if (campaignId === null) continue;
    if (event !== "impression" && event !== "viewable" && event !== "click") continue;
    const sum = sums.get(campaignId) ?? { impressions: 0, viewable: 0, clicks: 0 };
    if (event === "impression") sum.impressions += 1;
    else if (event === "viewable") sum.viewable += 1;
    else sum.clicks += 1;
    sums.set(campaignId, sum);
  }
  if (sums.size === 0) return;
  const given = sql`unnest(
      ${[...sums.keys()]}::uuid[],
      ${[...sums.values()].map(({ impressions }) => impressions)}::bigint[],
      ${[...sums.values()].map(({ viewable }) => viewable)}::bigint[],
      ${[...sums.values()].map(({ clicks }) => clicks)}::bigint[]
    ) as given (id, impressions, viewable, clicks)`;
  await sql`
    update campaigns c set impressions = c.impressions + given.impressions,
      viewable = c.viewable + given.viewable, clicks = c.clicks + given.clicks
    from ${given} where c.id = given.id`.execute(trx);
  await bookEvents(
    trx,
    [...sums].map(([campaignId, sum]) => ({ campaignId, ...sum })),
    now,
  );
  await sql`
    insert into campaign_hours as h (campaign_id, hour, impressions)
    select id, date_trunc('hour', ${now}::timestamptz, ${siteZone}), impressions
    from ${given} where impressions > 0 order by id
    on conflict (campaign_id, hour) do update set
      impressions = h.impressions + excluded.impressions`.execute(trx);
}

/** Counts visitors' verified impressions for frequency caps of the ads or their campaigns. */
async function addToCaps(
  trx: Trx,
  counted: readonly AdEventRecord[],
  ads: ReadonlyMap<string, LockedAd>,
  now: Date,
): Promise<void> {
  const seen = new Map<string, { visitorId: string; adId: string; count: number }>();
  for (const { adId, event, visitorId } of counted.filter(isVerified)) {
    if (event !== "impression" || !hasVisitorCap(ads.get(adId))) continue;
    const key = `${visitorId} ${adId}`;
    const entry = seen.get(key) ?? { visitorId, adId, count: 0 };
    entry.count += 1;
    seen.set(key, entry);
  }
  if (seen.size === 0) return;
  const entries = [...seen.values()];
  await sql`
    insert into ad_visitor_days as d (visitor_id, day, ad_id, impressions)
    select visitor_id, ${siteDay(now)}, ad_id, impressions
    from unnest(
      ${entries.map((entry) => entry.visitorId)}::uuid[],
      ${entries.map((entry) => entry.adId)}::uuid[],
      ${entries.map((entry) => entry.count)}::int[]
    ) as given (visitor_id, ad_id, impressions)
    order by 1, 3
    on conflict (visitor_id, day, ad_id) do update set
      impressions = d.impressions + excluded.impressions`.execute(trx);
}

/** Deletes serves with expired tokens, and the visitor counts and hours of past days. */
export async function deleteExpired(trx: Trx, servesBefore: Date, daysBefore: Date): Promise<void> {
  await sql`delete from ad_serve_events where at < ${servesBefore}`.execute(trx);
  await sql`delete from ad_visitor_days
    where day < ${siteDay(daysBefore)}`.execute(trx);
  await sql`delete from campaign_hours where hour < ${daysBefore}`.execute(trx);
}
