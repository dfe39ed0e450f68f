import { sql, type Kysely } from "kysely";

/** Impressions of limited ads that were sent to a visitor and may still be shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ad_reservations (
      serve bigint not null,
      ad_id uuid not null references ads (id) on delete cascade,
      visitor_id uuid not null,
      -- Whether the page shows one ad of this serve, so that the others go free.
      is_single boolean not null,
      expires_at timestamptz not null,
      primary key (serve, ad_id)
    )`.execute(db);
  await sql`create index ad_reservations_ad_idx on ad_reservations (ad_id, expires_at)`.execute(db);
  await sql`create index ad_reservations_expires_idx on ad_reservations (expires_at)`.execute(db);
}
