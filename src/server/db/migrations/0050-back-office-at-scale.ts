import { sql, type Kysely } from "kysely";

/** What keeps the back office quick on large sites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addStorageSums(db);
  await storeBulkParts(db);
  await coverAdminLists(db);
  await followStatements(db);
}

/** The dashboard shows the storage in use: kept with the other sums, as each change makes it. */
async function addStorageSums(db: Kysely<unknown>): Promise<void> {
  for (const table of ["tallies", "tally_changes"]) {
    await sql`
      alter table ${sql.table(table)}
        add column source_bytes bigint not null default 0,
        add column stored_bytes bigint not null default 0`.execute(db);
  }
  for (const [event, rows] of [
    ["insert", "select 1 as sign, n.* from new_rows n"],
    ["update", "select 1 as sign, n.* from new_rows n union all select -1, o.* from old_rows o"],
    ["delete", "select -1 as sign, o.* from old_rows o"],
  ] as const) {
    await sql`
      create or replace function ${sql.id(`tally_videos_${event}`)}() returns trigger
      language plpgsql as $$
      begin
        insert into tally_changes
        select * from (
          select '00000000-0000-0000-0000-000000000000'::uuid,
            coalesce(sum(sign), 0) as videos,
            coalesce(sum(sign) filter (where is_published and status = 'ready'), 0) as listed,
            coalesce(sum(sign * views), 0) as views,
            coalesce(sum(sign * likes), 0) as likes,
            coalesce(sum(sign * views) filter (where is_published and status = 'ready'), 0) as lv,
            coalesce(sum(sign * likes) filter (where is_published and status = 'ready'), 0) as ll,
            coalesce(sum(sign * source_bytes), 0) as source,
            coalesce(sum(sign * stored_bytes), 0) as stored
          from (${sql.raw(rows)}) changed
        ) c where (c.videos, c.listed, c.views, c.likes, c.lv, c.ll, c.source, c.stored)
          <> (0, 0, 0, 0, 0, 0, 0, 0);
        return null;
      end $$`.execute(db);
  }
  await sql`
    insert into tally_changes (scope, source_bytes, stored_bytes)
    select '00000000-0000-0000-0000-000000000000', coalesce(sum(source_bytes), 0),
      coalesce(sum(stored_bytes), 0)
    from videos`.execute(db);
}

/**
 * What a bulk action still has to do, a row for each part that is done in one transaction: an
 * action over a hundred thousand videos is written down in a fraction of a second.
 */
async function storeBulkParts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bulk_job_parts (
      job_id uuid not null references bulk_jobs (id) on delete cascade,
      position int not null,
      video_ids uuid[] not null,
      primary key (job_id, position)
    )`.execute(db);
  // Jobs that were under way go on where they were.
  await sql`
    insert into bulk_job_parts
    select job_id, part, array_agg(video_id order by video_id) from (
      select job_id, video_id,
        (row_number() over (partition by job_id order by video_id) - 1) / 25 as part
      from bulk_job_videos) numbered
    group by 1, 2`.execute(db);
  await sql`drop table bulk_job_videos`.execute(db);
}

/**
 * What the list of the back office filters, sorts and counts by lies in one narrow index: at 100,000
 * videos 13 MB are read instead of the 66 MB of the table. Counting a view writes new entries into
 * every index anyway, so that this one costs no more than the one that it replaces.
 */
async function coverAdminLists(db: Kysely<unknown>): Promise<void> {
  await sql`drop index videos_created_idx`.execute(db);
  await sql`
    create index videos_created_idx on videos (created_at desc, id desc)
      include (title, is_published, is_premium, views, likes, duration_s, stored_bytes, source_bytes)`.execute(
    db,
  );
}

/**
 * What hangs on a video's publication and words follows once per statement instead of once per row:
 * publishing a hundred videos writes to each of the tables behind them once.
 */
async function followStatements(db: Kysely<unknown>): Promise<void> {
  for (const name of ["list_labels", "list_range_scores", "search_changed_video"]) {
    await sql`drop trigger ${sql.id(name)} on videos`.execute(db);
  }
  for (const name of ["list_labels_of_video", "list_range_scores", "search_changed_video"]) {
    await sql`drop function ${sql.id(name)}()`.execute(db);
  }
  const labels = ["video_categories", "video_tags", "video_actors"].map(
    (table) => sql`
        update ${sql.table(table)} j
          set listed_at = listed_at(n.is_published, n.status, n.published_at)
        from new_rows n where n.id = j.video_id and j.video_id = any(relisted);`,
  );
  await sql`
    create function follow_changed_videos() returns trigger language plpgsql as $$
    declare
      relisted uuid[];
      flipped uuid[];
      reworded uuid[];
    begin
      select
        array_agg(n.id) filter (where listed_at(n.is_published, n.status, n.published_at)
          is distinct from listed_at(o.is_published, o.status, o.published_at)),
        array_agg(n.id) filter (where (n.is_published and n.status = 'ready')
          is distinct from (o.is_published and o.status = 'ready')),
        array_agg(n.id) filter (where (n.title, n.description)
          is distinct from (o.title, o.description))
      into relisted, flipped, reworded
      from new_rows n join old_rows o on o.id = n.id;
      if relisted is not null then
        ${sql.join(labels, sql` `)}
      end if;
      if flipped is not null then
        update video_range_scores s set is_listed = n.is_published and n.status = 'ready'
        from new_rows n where n.id = s.video_id and s.video_id = any(flipped);
        -- One that is still to be written will be written with what holds then.
        update video_search s set is_listed = n.is_published and n.status = 'ready'
        from new_rows n where n.id = s.video_id and s.video_id = any(flipped);
      end if;
      if reworded is not null then
        perform refresh_search(reworded);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger follow_changed_videos after update on videos
      referencing old table as old_rows new table as new_rows for each statement
      execute function follow_changed_videos()`.execute(db);
}
