import { sql, type Kysely } from "kysely";

const counts = [
  ...["impressions", "suspect_impressions", "verified_impressions", "viewable"],
  ...["clicks", "suspect_clicks", "verified_clicks", "starts", "first_quartiles", "midpoints"],
  ...["third_quartiles", "completes", "skips", "errors"],
];
const requests = ["requests", "filled", "robot_requests"];

/**
 * Ads in embeds: the switch, and the part of each count that comes from embeds. The existing columns
 * stay the totals, so that limits, revenue and the previous release need no change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings add column ads_in_embeds boolean not null default false`.execute(db);
  for (const [table, names] of [
    ["ad_stats_daily", counts],
    ["ad_requests_daily", requests],
  ] as const) {
    const columns = names.map((name) => {
      const column = sql.ref(`embed_${name}`);
      return sql`add column ${column} bigint not null default 0 check (${column} >= 0)`;
    });
    await sql`alter table ${sql.table(table)} ${sql.join(columns)}`.execute(db);
  }
}
