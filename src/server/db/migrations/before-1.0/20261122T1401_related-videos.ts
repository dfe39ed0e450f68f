import { sql, type Kysely } from "kysely";

/**
 * Related videos are kept per video, since choosing them reads thousands of rows. A job chooses
 * again what `related_queue` names: what was published or relabelled first, then by views.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table related_videos (
      video_id uuid primary key references videos (id) on delete cascade,
      -- Best first.
      ids uuid[] not null,
      -- Related too, but more of the same actors: for lists that nothing else completes.
      spare_ids uuid[] not null,
      -- Engaged viewers when these were chosen.
      engaged bigint not null,
      chosen_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index related_videos_chosen_idx on related_videos (chosen_at)`.execute(db);
  await sql`
    create table related_queue (
      video_id uuid primary key,
      is_urgent boolean not null,
      views bigint not null
    )`.execute(db);
  await sql`
    create index related_queue_next_idx
      on related_queue (is_urgent desc, views desc, video_id)`.execute(db);
  await sql`
    insert into related_queue select id, false, views from videos where is_listed`.execute(db);

  // After a change of few videos nothing outdated stays; after one of very many the old choice does
  // until the job arrives there.
  await sql`
    create function relate_again(changed uuid[]) returns void language plpgsql as $$
    declare
      is_small boolean := cardinality(changed) <= 500;
    begin
      if is_small then
        delete from related_videos where video_id = any(changed);
      end if;
      insert into related_queue as q (video_id, is_urgent, views)
      select id, is_small, views from videos where id = any(changed) and is_listed order by id
      on conflict (video_id) do update set is_urgent = true where excluded.is_urgent and not q.is_urgent;
    end $$`.execute(db);
  // Called for changed titles and labels: these make two videos alike as well.
  await sql`
    create or replace function refresh_search(ids uuid[]) returns void language plpgsql as $$
    begin
      perform relate_again(ids);
      if cardinality(ids) <= 500 then
        perform write_search_documents(ids);
      else
        insert into search_stale select distinct unnest(ids) order by 1 on conflict do nothing;
      end if;
    end $$`.execute(db);
  await sql`
    create function relate_published() returns trigger language plpgsql as $$
    begin
      perform relate_again(array[new.id]);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger relate_published after update on videos
      for each row when (new.is_listed and not old.is_listed)
      execute function relate_published()`.execute(db);
}
