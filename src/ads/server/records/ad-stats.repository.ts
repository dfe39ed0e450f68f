import { sql } from "kysely";
import { clickThroughRate } from "../../contract/ad-rules.ts";
import {
  adCounts,
  adOrigins,
  adPlacements,
  type AdCounts,
  type AdStats,
} from "../../contract/ads.ts";
import type { DbOrTrx } from "#server/db/connection.ts";

const column = (name: string) => sql`s.${sql.ref(name)}`;
/** Terms of each count. The stored columns of impressions and clicks include all of them. */
const parts = {
  impressions: column("verified_impressions"),
  unverifiedImpressions: sql`s.impressions - s.verified_impressions - s.suspect_impressions`,
  robotImpressions: column("suspect_impressions"),
  viewable: column("viewable"),
  clicks: column("verified_clicks"),
  unverifiedClicks: sql`s.clicks - s.verified_clicks - s.suspect_clicks`,
  robotClicks: column("suspect_clicks"),
  starts: column("starts"),
  firstQuartiles: column("first_quartiles"),
  midpoints: column("midpoints"),
  thirdQuartiles: column("third_quartiles"),
  completes: column("completes"),
  skips: column("skips"),
  errors: column("errors"),
} as const satisfies Record<keyof AdCounts, unknown>;

export const countNames = adCounts.keyof().options;
export const noAdCounts = adCounts.parse(Object.fromEntries(countNames.map((name) => [name, 0])));
export const headOf = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const countSums = sql.join(
  countNames.map((name) => sql`coalesce(sum(${parts[name]}), 0)::bigint as ${sql.ref(name)}`),
);

/** Columns of counts. Each also has one with the part that comes from embeds, such as `embed_clicks`. */
export const storedCounts = [
  ...["impressions", "suspect_impressions", "verified_impressions", "viewable"],
  ...["clicks", "suspect_clicks", "verified_clicks", "starts", "first_quartiles", "midpoints"],
  ...["third_quartiles", "completes", "skips", "errors"],
];
/** Rows of `ad_stats_daily` by origin, in place of the table. */
export const statsByOrigin = sql`(
  select * from (
    select d.ad_id, d.day, d.placement, o.origin, ${sql.join(
      storedCounts.map((name) => {
        const [total, embed] = [sql.ref(`d.${name}`), sql.ref(`d.embed_${name}`)];
        return sql`case o.origin when 'embed' then ${embed} else ${total} - ${embed} end as ${sql.ref(name)}`;
      }),
    )}
    from ad_stats_daily d cross join (values ('site'), ('embed')) as o (origin)
  ) as both_origins
  where ${sql.join(
    storedCounts.map((name) => sql.ref(name)),
    sql` + `,
  )} > 0)`;

/**
 * Returns statistics of the last `days` days including today, in one range scan of the key.
 */
export async function readAdStats(
  db: DbOrTrx,
  adId: string,
  days: number,
  today: string,
): Promise<Omit<AdStats, "timeZone">> {
  const first = sql`(${today}::date - ${days - 1}::int)`;
  const perDay = await sql<{ day: string } & AdCounts>`
    select to_char(d, 'YYYY-MM-DD') as day, ${countSums}
    from generate_series(${first}::timestamp, ${today}::timestamp, interval '1 day') as d
    left join ad_stats_daily s on s.ad_id = ${adId} and s.day = d::date
    group by d order by d`.execute(db);
  const perPlacement = await sql<
    { placement: AdStats["placements"][number]["placement"] } & AdCounts
  >`
    select s.placement, ${countSums} from ad_stats_daily s
    where s.ad_id = ${adId} and s.day between ${first} and ${today}::date
    group by s.placement`.execute(db);

  const perOrigin = await sql<{ origin: AdStats["origins"][number]["origin"] } & AdCounts>`
    select s.origin, ${countSums} from ${statsByOrigin} s
    where s.ad_id = ${adId} and s.day between ${first} and ${today}::date
    group by s.origin`.execute(db);
  const origins = perOrigin.rows.toSorted(
    (a, b) => adOrigins.indexOf(a.origin) - adOrigins.indexOf(b.origin),
  );

  const totals = perDay.rows.reduce(addCounts, noAdCounts);
  const placements = perPlacement.rows.toSorted(
    (a, b) => adPlacements.indexOf(a.placement) - adPlacements.indexOf(b.placement),
  );
  const causes = await sql<AdStats["errorCauses"][number]>`
    select cause, sum(errors)::bigint as count from ad_errors_daily
    where ad_id = ${adId} and day between ${first} and ${today}::date
    group by cause order by count desc, cause`.execute(db);
  return { days: perDay.rows, placements, origins, totals, errorCauses: causes.rows };
}

export function addCounts(a: AdCounts, b: AdCounts): AdCounts {
  const sum = { ...a };
  for (const name of countNames) sum[name] += b[name];
  return sum;
}

/**
 * Returns one row per day and placement, for spreadsheets. Every field is a date, a word or a
 * number.
 */
export async function readAdStatsCsv(
  db: DbOrTrx,
  adId: string,
  days: number,
  today: string,
): Promise<string> {
  const { rows } = await sql<
    { day: string; placement: string; embedImpressions: number; embedClicks: number } & AdCounts
  >`
    select to_char(s.day, 'YYYY-MM-DD') as day, s.placement, ${countSums},
      sum(s.embed_verified_impressions)::bigint as "embedImpressions",
      sum(s.embed_verified_clicks)::bigint as "embedClicks"
    from ad_stats_daily s
    where s.ad_id = ${adId} and s.day between (${today}::date - ${days - 1}::int) and ${today}::date
    group by s.day, s.placement order by s.day, s.placement`.execute(db);
  const head = [
    ...["day", "placement", ...countNames.map(headOf), "ctr_percent"],
    ...["embed_impressions", "embed_clicks"],
  ];
  const lines = rows.map((row) => {
    const ctr = clickThroughRate(row.clicks, row.impressions);
    return [
      ...[row.day, row.placement, ...countNames.map((name) => row[name]), ctr.toFixed(2)],
      ...[row.embedImpressions, row.embedClicks],
    ];
  });
  return [head, ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}
