import { sql, type Kysely } from "kysely";

/**
 * Bounds on how far one address group, one hour and new visitors move rankings: places per address
 * group and day, the weight that a video gained in the current hour, and which likes count. `rating`
 * gets a new expression in the same transaction under its old name and type, so earlier versions can
 * still read it. Its expression over all likes is Unused since 0.2.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table address_counts (
      video_id uuid not null references videos (id) on delete cascade,
      -- A keyed hash that changes every day.
      address_group text not null,
      plays int not null default 0,
      likes int not null default 0,
      created_at timestamptz not null default now(),
      primary key (video_id, address_group)
    )`.execute(db);
  await sql`create index address_counts_created_idx on address_counts (created_at)`.execute(db);

  // reward_weight is this times the weight of the address. Earlier plays keep their weight.
  await sql`alter table watches add column visitor_weight real not null default 1`.execute(db);
  // Earlier likes still count.
  await sql`alter table likes add column is_ranked boolean not null default true`.execute(db);
  await sql`
    alter table videos
      add column weighed_hour timestamptz,
      add column hour_weight double precision not null default 0,
      add column unranked_likes bigint not null default 0`.execute(db);

  await sql`drop index videos_top_rated_idx`.execute(db);
  await sql`alter table videos drop column rating`.execute(db);
  await sql`
    alter table videos add column rating double precision not null
      generated always as (
        wilson_lower_bound(likes - unranked_likes, greatest(engaged, likes - unranked_likes))
      ) stored`.execute(db);
  await sql`create index videos_top_rated_idx on videos (rating desc, id desc) where is_listed`.execute(
    db,
  );
}
