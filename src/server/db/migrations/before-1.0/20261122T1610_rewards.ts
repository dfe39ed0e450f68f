import { sql, type Kysely } from "kysely";

/**
 * Rewards of the For You feed as sums in each video's row, written with the counts of the same play,
 * and how much each play counts in them. `fill_rewards` computes them from what is stored, with the
 * formulas that features/engagement/rewards.ts had when this migration was written; a test compares.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column reward_sum double precision not null default 0,
      add column reward_count double precision not null default 0`.execute(db);
  await sql`alter table watches add column reward_weight real not null default 1`.execute(db);

  // Why each related video is there, and what viewers watched as well: the next choice fills them.
  await sql`
    alter table related_videos
      add column reasons text[] not null default '{}',
      add column watched_ids uuid[] not null default '{}',
      add column watched_weights real[] not null default '{}'`.execute(db);
  await sql`
    insert into related_queue select id, false, views from videos where is_listed
    on conflict do nothing`.execute(db);

  await sql`
    create function reward_scale(at timestamptz) returns double precision
    language sql immutable strict parallel safe as $$
      select power(2::float8, extract(epoch from at - '2026-01-01 00:00:00+00'::timestamptz)::float8 / 1209600)
    $$`.execute(db);
  // Older plays count less than a hundredth.
  await sql`
    create function fill_rewards(at timestamptz default now()) returns void language sql as $$
      with recent as (
        select w.*, count(*) over (partition by w.visitor_id) as videos
        from watches w where w.updated_at > at - interval '90 days'
      ), plays as (
        select w.video_id, w.reward_weight * case when w.videos = 1 then least(1, 0.1 / nullif(w.reward_weight, 0)) else 1 end as weight,
          reward_scale(w.counted_at) as scale, reward_scale(l.created_at) as liked,
          case when w.completed then 1 when w.watch_time_s < 2 or v.duration_s <= 0 then 0
            else least(1, w.watch_time_s / v.duration_s) end as reward
        from recent w join videos v on v.id = w.video_id
        left join likes l on l.video_id = w.video_id and l.visitor_id = w.visitor_id
      ), sums as (
        select video_id, sum(weight * (scale * reward + 0.2 * coalesce(liked, 0))) as sum,
          sum(weight * scale) as count
        from plays where weight > 0 group by 1
      )
      update videos v set
        reward_sum = s.sum * least(1, 100 * reward_scale(at) / s.count),
        reward_count = least(s.count, 100 * reward_scale(at))
      from sums s where v.id = s.video_id
    $$`.execute(db);
  // Counts alone do not change the first videos of labels.
  await sql`alter table videos disable trigger note_counted_videos`.execute(db);
  await sql`select fill_rewards()`.execute(db);
  await sql`alter table videos enable trigger note_counted_videos`.execute(db);
}
