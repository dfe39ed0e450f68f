import { sql, type RawBuilder } from "kysely";
import type { AdReport, ReportGroup, ReportQuery } from "../../contract/campaigns.ts";
import type { AdCounts } from "../../contract/ads.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { countSums, statsByOrigin } from "../records/ad-stats.repository.ts";

/** Selects the counts that a report adds up. Both days are included. */
export type ReportScope = Pick<ReportQuery, "advertiser" | "campaign" | "placement" | "origin"> & {
  from: string;
  to: string;
};

/** Counts of one campaign under one key. Ads without a campaign have none. */
export type ReportPart = AdCounts & {
  key: string;
  name: string;
  /** Campaign of a row by ad or campaign; empty for ads without one. */
  campaignName: string;
  advertiserName: string;
  /** Currency; null without a campaign or without a price. */
  currency: string | null;
};

const keys: Record<ReportGroup, { key: unknown; name: unknown }> = {
  day: { key: sql`to_char(s.day, 'YYYY-MM-DD')`, name: sql`to_char(s.day, 'YYYY-MM-DD')` },
  placement: { key: sql`s.placement`, name: sql`s.placement` },
  origin: { key: sql`s.origin`, name: sql`s.origin` },
  advertiser: { key: sql`coalesce(v.id::text, '')`, name: sql`coalesce(v.name, '')` },
  campaign: { key: sql`coalesce(c.id::text, '')`, name: sql`coalesce(c.name, '')` },
  ad: { key: sql`a.id::text`, name: sql`a.title` },
};

/** Returns the stored counts, by origin if the report needs it. */
const statsOf = ({ origin }: ReportScope, group?: ReportGroup) =>
  group === "origin" || origin !== undefined ? statsByOrigin : sql`ad_stats_daily`;

/** Returns conditions on the placement and origin of `s`. */
function placeConditions({ placement, origin }: ReportScope): RawBuilder<unknown>[] {
  return [
    ...(placement === undefined ? [] : [sql`s.placement = ${placement}`]),
    ...(origin === undefined ? [] : [sql`s.origin = ${origin}`]),
  ];
}

function conditions({ from, to, advertiser, campaign }: ReportScope, day: unknown) {
  const all = [sql`${day} between ${from}::date and ${to}::date`];
  if (advertiser !== undefined) all.push(sql`c.advertiser_id = ${advertiser}`);
  if (campaign !== undefined) all.push(sql`c.id = ${campaign}`);
  return all;
}

export async function readReportParts(
  db: DbOrTrx,
  scope: ReportScope,
  group: ReportGroup,
): Promise<ReportPart[]> {
  const { key, name } = keys[group];
  const { rows } = await sql<ReportPart>`
    select ${key} as key, ${name} as name,
      coalesce(c.name, '') as "campaignName", coalesce(v.name, '') as "advertiserName",
      case when c.price_model <> 'none' then c.currency end as currency,
      ${countSums}
    from ${statsOf(scope, group)} s join ads a on a.id = s.ad_id
    left join campaigns c on c.id = a.campaign_id
    left join advertisers v on v.id = c.advertiser_id
    where ${sql.join([...conditions(scope, sql`s.day`), ...placeConditions(scope)], sql` and `)}
    group by 1, 2, c.id, v.id order by 2, 1`.execute(db);
  return rows;
}

/** Booked revenue of one key, in millionths. The key is null for days on which no ad was shown. */
export interface ReportRevenue {
  key: string | null;
  name: string;
  campaignName: string;
  advertiserName: string;
  currency: string;
  micros: number;
}

/**
 * Returns the revenue of each campaign and day. Placements, origins and ads get a share in proportion
 * to their impressions, or to their clicks if those are billed.
 */
export async function readRevenue(
  db: DbOrTrx,
  scope: ReportScope,
  group: ReportGroup,
): Promise<ReportRevenue[]> {
  const { from, to, advertiser, campaign, placement, origin } = scope;
  const byOrigin = group === "origin" || origin !== undefined;
  const isApportioned =
    byOrigin || group === "ad" || group === "placement" || placement !== undefined;
  const key = {
    day: sql`to_char(b.day, 'YYYY-MM-DD')`,
    placement: sql`p.placement`,
    origin: sql`p.origin`,
    advertiser: sql`c.advertiser_id::text`,
    campaign: sql`c.id::text`,
    ad: sql`p.ad_id::text`,
  }[group];
  const name = group === "advertiser" ? sql`v.name` : group === "campaign" ? sql`c.name` : sql`''`;
  const share = isApportioned ? sql`coalesce(p.part, 1)` : sql`1`;
  const parts = sql`
    left join lateral (
      select s.ad_id, s.placement, s.origin, s.measure / sum(s.measure) over () as part
      from (
        select s.ad_id, s.placement, ${byOrigin ? sql`s.origin` : sql`null as origin`}, sum(case when c.price_model = 'cpc' and exists (
            select from ad_stats_daily k join ads o on o.id = k.ad_id
            where o.campaign_id = c.id and k.day = b.day and k.verified_clicks > 0)
          then s.verified_clicks else s.verified_impressions end)::float8 as measure
        from ${statsOf(scope, group)} s join ads a on a.id = s.ad_id
        where a.campaign_id = c.id and s.day = b.day group by 1, 2, 3
      ) s where s.measure > 0
    ) p on true`;
  const { rows } = await sql<ReportRevenue>`
    select ${key} as key, ${name} as name, c.name as "campaignName", v.name as "advertiserName",
      b.currency, sum(b.micros * ${share}) as micros
    from campaign_days b join campaigns c on c.id = b.campaign_id
    join advertisers v on v.id = c.advertiser_id
    ${isApportioned ? parts : sql``}
    where b.day between ${from}::date and ${to}::date and b.micros > 0
      and (${advertiser ?? null}::uuid is null or c.advertiser_id = ${advertiser ?? null})
      and (${campaign ?? null}::uuid is null or c.id = ${campaign ?? null})
      ${placement === undefined ? sql`` : sql`and p.placement = ${placement}`}
      ${origin === undefined ? sql`` : sql`and p.origin = ${origin}`}
    group by 1, 2, 3, 4, 5`.execute(db);
  return rows;
}

/**
 * Returns errors by cause. Causes are stored without a placement and origin, so these select the ads
 * and days with an error there.
 */
export async function readReportErrors(
  db: DbOrTrx,
  scope: ReportScope,
): Promise<AdReport["errorCauses"]> {
  const places = placeConditions(scope);
  const hasFailed = sql`exists (
    select from ${statsOf(scope)} s where s.ad_id = e.ad_id and s.day = e.day
      and s.errors > 0 and ${sql.join(places, sql` and `)})`;
  const all = [...conditions(scope, sql`e.day`), ...(places.length === 0 ? [] : [hasFailed])];
  const { rows } = await sql<AdReport["errorCauses"][number]>`
    select e.cause, sum(e.errors)::bigint as count
    from ad_errors_daily e join ads a on a.id = e.ad_id
    left join campaigns c on c.id = a.campaign_id
    where ${sql.join(all, sql` and `)}
    group by e.cause order by count desc, e.cause`.execute(db);
  return rows;
}

export interface RequestCounts {
  requests: number;
  filled: number;
  robotRequests: number;
}

/** Returns requests by day, placement or origin. They belong to no campaign. */
export async function readRequests(
  db: DbOrTrx,
  { from, to, placement, origin }: ReportScope,
  group: "day" | "placement" | "origin",
): Promise<Map<string, RequestCounts>> {
  const key = {
    day: sql`to_char(day, 'YYYY-MM-DD')`,
    placement: sql`placement`,
    origin: sql`origin`,
  };
  const part = (name: string) => {
    const [total, embed] = [sql.ref(`r.${name}`), sql.ref(`r.embed_${name}`)];
    return sql`sum(case o.origin when 'embed' then ${embed} else ${total} - ${embed} end)::bigint`;
  };
  const { rows } = await sql<RequestCounts & { key: string }>`
    select ${key[group]} as key, ${part("requests")} as requests, ${part("filled")} as filled,
      ${part("robot_requests")} as "robotRequests"
    from ad_requests_daily r cross join (values ('site'), ('embed')) as o (origin)
    where day between ${from}::date and ${to}::date
      and (${placement ?? null}::text is null or placement = ${placement ?? null})
      and (${origin ?? null}::text is null or origin = ${origin ?? null})
    group by 1 having ${part("requests")} + ${part("robot_requests")} > 0`.execute(db);
  return new Map(rows.map(({ key: name, ...counts }) => [name, counts]));
}
