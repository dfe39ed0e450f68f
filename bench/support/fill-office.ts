import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";

export const officeSize = { people: 50, reports: 500, notices: 50, trash: 1000 };
const count = { comments: 2000, ads: 200, campaigns: 50, referrals: 100, days: 90, rows: 1000 };

const hash = (n: unknown) => sql`sha256(convert_to(${n}::text, 'UTF8'))`;
const numbers = (to: number) => sql`generate_series(1, ${sql.lit(to)}) as n`;
/** Returns a video by its number, counted from the newest. */
const videoAt = (n: unknown) => sql`(select id from newest where number = ${n})`;

/**
 * Fills the back office to look like a site of that size after some years: users with sessions,
 * reports and notices with notes, comments, a full trash, ads with statistics, imports, webhooks
 * with their log, and two audit log entries per video.
 */
export async function fillOffice(db: Db): Promise<void> {
  await db.connection().execute(async (lane) => {
    const run = (statement: ReturnType<typeof sql>) => statement.execute(lane);
    await run(sql`
      create temporary table newest as select id, slug, title, created_at,
        row_number() over (order by created_at desc, id) as number from videos`);
    await run(sql`create index on newest (number)`);
    await run(sql`
      insert into users (id, email, name, role, password_hash, last_seen_at)
      select gen_random_uuid(), 'person' || n || '@example.com', 'Person ' || n,
        (array['ADMIN', 'EDITOR', 'MODERATOR', 'ANALYST'])[1 + n % 4], '-',
        now() - n * interval '1 hour'
      from ${numbers(officeSize.people - 1)}`);
    await run(sql`
      insert into sessions (token_hash, user_id, user_agent, expires_at)
      select ${hash(sql`u.id || n::text`)}, u.id, 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
        now() + interval '7 days' from users u, ${numbers(4)}`);
    await run(sql`
      insert into invitations (id, email, role, token_hash, expires_at)
      select gen_random_uuid(), 'invited' || n || '@example.com', 'EDITOR',
        ${hash(sql`'invitation' || n`)}, now() + interval '7 days' from ${numbers(20)}`);
    await run(sql`
      update videos set uploaded_by = u.id
      from newest v join (select id, row_number() over () as number from users) u
        on u.number = v.number % ${sql.lit(officeSize.people)}
      where v.id = videos.id and v.number <= 5000`);

    await run(sql`
      insert into comments (id, video_id, visitor_id, text, state)
      select gen_random_uuid(), ${videoAt(sql`1 + n % 300`)}, gen_random_uuid(),
        repeat('words ', 10), case when n % 10 = 0 then 'held' else 'shown' end
      from ${numbers(count.comments)}`);
    await run(sql`
      insert into reports (id, kind, video_id, video_title, video_slug, reason, text, email, state,
        outcome, resolved_at, created_at)
      select gen_random_uuid(), 'report', v.id, v.title, v.slug, 'misleading', repeat('words ', 20),
        'visitor@example.com', s.state, s.outcome,
        case when s.state = 'resolved' then now() end, now() - n * interval '1 hour'
      from ${numbers(officeSize.reports)}
      join newest v on v.number = 1 + n % 200
      cross join lateral (select (array['open', 'open', 'in_review', 'resolved'])[1 + n % 4] as state,
        case when n % 4 = 3 then 'dismissed' end as outcome) s`);
    await run(sql`
      insert into reports (id, kind, video_id, video_title, video_slug, reason, text, email, notice)
      select gen_random_uuid(), 'takedown', v.id, v.title, v.slug, 'copyright', 'Mine',
        'ada@example.com', '{"name":"Ada","organisation":"","postalAddress":"","signature":"Ada"}'
      from ${numbers(officeSize.notices)} join newest v on v.number = n`);
    await run(sql`
      insert into reports (id, kind, video_id, video_title, video_slug, comment_id, reason, text)
      select gen_random_uuid(), 'comment', v.id, v.title, v.slug, c.id, 'other', ''
      from comments c join newest v on v.id = c.video_id where c.state = 'held'`);
    await run(sql`
      insert into report_notes (id, report_id, user_email, text)
      select gen_random_uuid(), id, 'person1@example.com', 'Seen' from reports, ${numbers(2)}`);
    await run(sql`
      insert into blocked_files (sha256, size_bytes, video_title, blocked_by)
      select ${hash(sql`'file' || n`)}, n, 'Video ' || n, 'person1@example.com' from ${numbers(200)}`);

    await run(sql`
      insert into removed_videos (id, title, media_token, size_bytes, kept_rows, removed_by, removed_at)
      select gen_random_uuid(), 'Removed ' || n, 'removed-token-' || n, n * 1000000,
        jsonb_build_object('videos', jsonb_build_array(jsonb_build_object('slug', 'removed-' || n)),
          'video_stats_hourly', (select jsonb_agg(h) from generate_series(1, 100) h)),
        'person1@example.com', now() - n * interval '30 minutes'
      from ${numbers(officeSize.trash)}`);
    await run(sql`
      insert into audit_log (id, at, user_email, action, entity, entity_id, after)
      select gen_random_uuid(), v.created_at + n * interval '1 minute',
        'person' || v.number % 50 || '@example.com',
        (array['video.uploaded', 'video.published'])[n], 'video', v.id::text,
        jsonb_build_object('title', v.title)
      from newest v, ${numbers(2)}`);
    await run(sql`
      insert into audit_log (id, at, user_email, action, entity, entity_id)
      select gen_random_uuid(), now() - n * interval '10 minutes', u.email, 'account.signed-in',
        'account', u.id::text
      from ${numbers(20_000)}
      join (select id, email, row_number() over () as number from users) u on u.number = 1 + n % 50`);
    await run(sql`
      insert into imports (id, kind, file_name, state, columns, mapping, total, problems, created_by_email)
      select gen_random_uuid(), 'tags', 'rows-' || n || '.csv', 'checked', '{name,slug}',
        '["name","slug"]', ${sql.lit(count.rows)}, 20, 'person1@example.com' from ${numbers(20)}`);
    await run(sql`
      insert into import_rows (import_id, position, line, target_id, cells, outcome, problem)
      select i.id, n, n + 1, gen_random_uuid(), array['Tag ' || n, 'tag-' || n],
        case when n % 50 = 0 then 'problem' else 'created' end,
        case when n % 50 = 0 then 'slug: it is taken' end
      from imports i, ${numbers(count.rows)}`);

    await run(sql`
      insert into advertisers (id, name)
      select gen_random_uuid(), 'Advertiser ' || n from ${numbers(20)}`);
    await run(sql`
      insert into campaigns (id, advertiser_id, name, goal, goal_amount, price_model, price_micros,
        starts_at, ends_at, impressions)
      select gen_random_uuid(), a.id, 'Campaign ' || n, 'impressions', 1000000, 'cpm', 2000000,
        now() - interval '30 days', now() + interval '30 days', 400000
      from ${numbers(count.campaigns)}
      join (select id, row_number() over () as number from advertisers) a on a.number = 1 + n % 20`);
    await run(sql`
      insert into ads (id, title, content, type, placement, campaign_id, impressions, clicks)
      select gen_random_uuid(), 'Ad ' || n, '<b>Ad</b>', 'banner', 'footer', c.id, 100000, 1000
      from ${numbers(count.ads)}
      left join (select id, row_number() over () as number from campaigns) c on c.number = n`);
    await run(sql`
      insert into ad_stats_daily (ad_id, day, placement, impressions, verified_impressions, clicks)
      select a.id, current_date - n, 'footer', 1000, 900, 10 from ads a, ${numbers(count.days)}`);
    await run(sql`
      insert into ad_requests_daily (day, placement, requests, filled, robot_requests)
      select current_date - n, 'footer', 1000, 900, 10 from ${numbers(count.days)}`);
    await run(sql`
      insert into referrals (id, code, name)
      select gen_random_uuid(), 'link-' || n, 'Link ' || n from ${numbers(count.referrals)}`);
    await run(sql`
      insert into referral_stats_daily (referral_id, day, visits, unique_visitors, plays)
      select r.id, current_date - n, 10, 9, 5 from referrals r, ${numbers(count.days)}`);
    await run(sql`
      insert into referral_visitors (referral_id, visitor_id, first_day, last_day, last_at)
      select r.id, gen_random_uuid(), current_date, current_date, now()
      from referrals r, ${numbers(500)}`);
    await run(sql`
      insert into webhooks (id, url, events, secret, is_enabled)
      select gen_random_uuid(), 'https://example.com/hook/' || n, '{video.ready}', 'secret', false
      from ${numbers(5)}`);
    await run(sql`
      insert into webhook_deliveries (webhook_id, event, data, state, status, created_at)
      select w.id, 'video.ready', '{}', 'delivered', 200, now() - n * interval '1 minute'
      from webhooks w, ${numbers(5000)}`);
    await run(sql`drop table newest`);
  });
  await sql`vacuum (analyze)`.execute(db);
}
