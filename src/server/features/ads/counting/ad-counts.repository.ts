import { sql } from "kysely";
import type { AdEvent, AdPlacement } from "../../../../contract/ads.ts";
import type { Trx } from "../../../db/connection.ts";

export type CountedEvent = "impression" | "click" | AdEvent;

/** One event of one impression of an ad. */
export interface AdEventRecord {
  adId: string;
  event: CountedEvent;
  /** Where the ad was shown; null for its own placement. */
  placement: AdPlacement | null;
  /** Signed 64-bit number in decimal, or null if the client sent no serve token. */
  serve: string | null;
  /** Number of the impression of this ad within its serve, 0 for the first. */
  impressionIndex: number;
  isSuspect: boolean;
  /** Null for a visitor without a cookie. */
  visitorId: string | null;
}

export type CountResult = "counted" | "repeated" | "unknown";

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
const columns = [...Object.values(columnOf), "suspect_impressions", "suspect_clicks"] as const;

interface LockedAd {
  placement: AdPlacement;
  isCapped: boolean;
}

/** The name under which a serve's event is stored. */
const storedEvent = ({ event, impressionIndex }: AdEventRecord) =>
  impressionIndex === 0 ? event : `${event} ${impressionIndex}`;
const keyOf = (serve: string | null, adId: string, event: string) => `${serve} ${adId} ${event}`;
/** Records with the same key count once. */
export const recordKey = (record: AdEventRecord) =>
  keyOf(record.serve, record.adId, storedEvent(record));

/** Writes a batch: totals, statistics of the day, serves and visitor caps. */
export async function writeEvents(
  trx: Trx,
  records: readonly AdEventRecord[],
  now: Date,
): Promise<CountResult[]> {
  const ads = await lockAds(trx, [...new Set(records.map((record) => record.adId))]);
  const known = records.filter((record) => ads.has(record.adId));
  const fresh = await insertServes(trx, known, now);
  const counted = known.filter((record) => record.serve === null || fresh.has(recordKey(record)));

  if (counted.length > 0) {
    await addTotals(trx, counted);
    await addToDay(trx, counted, ads, now);
    await addToCaps(trx, counted, ads, now);
  }
  const done = new Set(counted);
  return records.map((record) => {
    if (done.has(record)) return "counted";
    return ads.has(record.adId) ? "repeated" : "unknown";
  });
}

/** Locks rows in the order of their ids, so that two processes cannot deadlock. */
async function lockAds(trx: Trx, ids: string[]): Promise<Map<string, LockedAd>> {
  const rows = await trx
    .selectFrom("ads")
    .select(["id", "placement", "visitor_daily_cap"])
    .where("id", "=", sql<string>`any(${ids}::uuid[])`)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      { placement: row.placement, isCapped: row.visitor_daily_cap !== null },
    ]),
  );
}

/** Stores the events of serves. Returns the keys of those that were not stored before. */
async function insertServes(
  trx: Trx,
  records: readonly AdEventRecord[],
  now: Date,
): Promise<Set<string>> {
  const named = records.filter((record) => record.serve !== null);
  if (named.length === 0) return new Set();
  const { rows } = await sql<{ serve: string; ad_id: string; event: string }>`
    insert into ad_serve_events (serve, ad_id, event, at)
    select serve, ad_id, event, ${now}
    from unnest(
      ${named.map((record) => record.serve)}::bigint[],
      ${named.map((record) => record.adId)}::uuid[],
      ${named.map(storedEvent)}::text[]
    ) as given (serve, ad_id, event)
    order by 1, 2, 3
    on conflict do nothing
    returning serve::text as serve, ad_id, event`.execute(trx);
  return new Set(rows.map((row) => keyOf(row.serve, row.ad_id, row.event)));
}

async function addTotals(trx: Trx, counted: readonly AdEventRecord[]): Promise<void> {
  const totals = new Map<string, { impressions: number; clicks: number }>();
  for (const { adId, event } of counted) {
    if (event !== "impression" && event !== "click") continue;
    const sum = totals.get(adId) ?? { impressions: 0, clicks: 0 };
    sum[columnOf[event] === "clicks" ? "clicks" : "impressions"] += 1;
    totals.set(adId, sum);
  }
  if (totals.size === 0) return;
  const entries = [...totals];
  await sql`
    update ads set
      impressions = ads.impressions + given.impressions,
      clicks = ads.clicks + given.clicks
    from unnest(
      ${entries.map(([id]) => id)}::uuid[],
      ${entries.map(([, sum]) => sum.impressions)}::bigint[],
      ${entries.map(([, sum]) => sum.clicks)}::bigint[]
    ) as given (id, impressions, clicks)
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
  for (const { adId, event, isSuspect, ...record } of counted) {
    const placement = record.placement ?? ads.get(adId)?.placement ?? "header";
    const key = `${adId} ${placement}`;
    const sum = sums.get(key) ?? { adId, placement, counts: new Map<string, number>() };
    const add = (column: string) => sum.counts.set(column, (sum.counts.get(column) ?? 0) + 1);
    add(columnOf[event]);
    if (isSuspect && (event === "impression" || event === "click")) {
      add(`suspect_${columnOf[event]}`);
    }
    sums.set(key, sum);
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
    select ad_id, (${now}::timestamptz at time zone 'UTC')::date, placement, ${names}
    from unnest(
      ${entries.map((sum) => sum.adId)}::uuid[],
      ${entries.map((sum) => sum.placement)}::text[],
      ${sql.join(arrays)}
    ) as given (ad_id, placement, ${names})
    order by ad_id, placement
    on conflict (ad_id, day, placement) do update set ${sets}`.execute(trx);
}

/** Counts what a visitor has seen, for frequency caps. Only ads with a cap are recorded. */
async function addToCaps(
  trx: Trx,
  counted: readonly AdEventRecord[],
  ads: ReadonlyMap<string, LockedAd>,
  now: Date,
): Promise<void> {
  const seen = new Map<string, { visitorId: string; adId: string; count: number }>();
  for (const { adId, event, visitorId } of counted) {
    if (event !== "impression" || visitorId === null || ads.get(adId)?.isCapped !== true) continue;
    const key = `${visitorId} ${adId}`;
    const entry = seen.get(key) ?? { visitorId, adId, count: 0 };
    entry.count += 1;
    seen.set(key, entry);
  }
  if (seen.size === 0) return;
  const entries = [...seen.values()];
  await sql`
    insert into ad_visitor_days as d (visitor_id, day, ad_id, impressions)
    select visitor_id, (${now}::timestamptz at time zone 'UTC')::date, ad_id, impressions
    from unnest(
      ${entries.map((entry) => entry.visitorId)}::uuid[],
      ${entries.map((entry) => entry.adId)}::uuid[],
      ${entries.map((entry) => entry.count)}::int[]
    ) as given (visitor_id, ad_id, impressions)
    order by 1, 3
    on conflict (visitor_id, day, ad_id) do update set
      impressions = d.impressions + excluded.impressions`.execute(trx);
}

/** Deletes serves whose tokens have expired, and the visitor counts of past days. */
export async function deleteExpired(trx: Trx, servesBefore: Date, daysBefore: Date): Promise<void> {
  await sql`delete from ad_serve_events where at < ${servesBefore}`.execute(trx);
  await sql`delete from ad_visitor_days
    where day < (${daysBefore}::timestamptz at time zone 'UTC')::date`.execute(trx);
}
