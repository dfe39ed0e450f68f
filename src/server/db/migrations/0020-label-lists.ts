import { sql, type Kysely } from "kysely";

const labels = [
  { table: "categories", join: "video_categories", column: "category_id" },
  { table: "tags", join: "video_tags", column: "tag_id" },
  { table: "actors", join: "video_actors", column: "actor_id" },
] as const;

/**
 * What lists by label and totals need, kept by the database itself, so that it is right whoever
 * writes: when each labelled video was published, how many there are, and what they sum up to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addRating(db);
  await addTallies(db);
  await addListedAt(db);
}

/**
 * The same bound as before, but computed in one type, and exactly 0 without likes: rounding left
 * numbers around 1e-17 there, which put equals in a random order.
 */
async function addRating(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos drop column rating`.execute(db);
  await sql`
    create function wilson_lower_bound(likes bigint, viewers bigint) returns double precision
    language sql immutable parallel safe as $$
      select case when likes <= 0 or viewers <= 0 then 0::float8 else
        (likes::float8 / viewers + 3.8416::float8 / (2::float8 * viewers)
          - 1.96::float8 * sqrt(
              (likes::float8 / viewers * (1::float8 - likes::float8 / viewers)
                + 3.8416::float8 / (4::float8 * viewers)) / viewers))
        / (1::float8 + 3.8416::float8 / viewers)
      end
    $$`.execute(db);
  await sql`
    alter table videos add column rating double precision not null
      generated always as (wilson_lower_bound(likes, greatest(engaged, likes))) stored`.execute(db);
  await sql`
    create index videos_top_rated_idx on videos (rating desc, id desc)
      where is_published and status = 'ready'`.execute(db);
}

/**
 * Totals per label, and of the whole site under the scope of zeros. A change is a row of its own:
 * nobody waits for anybody to count, and a sum over base and changes is exact at any moment. A job
 * folds the changes into the base.
 */
async function addTallies(db: Kysely<unknown>): Promise<void> {
  const sums = sql`
      videos bigint not null default 0,
      listed bigint not null default 0,
      views bigint not null default 0,
      likes bigint not null default 0,
      listed_views bigint not null default 0,
      listed_likes bigint not null default 0`;
  await sql`create table tallies (scope uuid primary key, ${sums})`.execute(db);
  await sql`create table tally_changes (scope uuid not null, ${sums})`.execute(db);
  await sql`create index tally_changes_scope_idx on tally_changes (scope)`.execute(db);

  for (const [event, rows] of [
    ["insert", "select 1 as sign, n.* from new_rows n"],
    ["update", "select 1 as sign, n.* from new_rows n union all select -1, o.* from old_rows o"],
    ["delete", "select -1 as sign, o.* from old_rows o"],
  ] as const) {
    const tables = {
      insert: sql`new table as new_rows`,
      update: sql`old table as old_rows new table as new_rows`,
      delete: sql`old table as old_rows`,
    }[event];
    await sql`
      create function ${sql.id(`tally_videos_${event}`)}() returns trigger language plpgsql as $$
      begin
        insert into tally_changes
        select * from (
          select '00000000-0000-0000-0000-000000000000'::uuid,
            coalesce(sum(sign), 0) as videos,
            coalesce(sum(sign) filter (where is_published and status = 'ready'), 0) as listed,
            coalesce(sum(sign * views), 0) as views,
            coalesce(sum(sign * likes), 0) as likes,
            coalesce(sum(sign * views) filter (where is_published and status = 'ready'), 0) as lv,
            coalesce(sum(sign * likes) filter (where is_published and status = 'ready'), 0) as ll
          from (${sql.raw(rows)}) changed
        ) c where (c.videos, c.listed, c.views, c.likes, c.lv, c.ll) <> (0, 0, 0, 0, 0, 0);
        return null;
      end $$`.execute(db);
    await sql`
      create trigger ${sql.id(`tally_videos_${event}`)} after ${sql.raw(event)} on videos
        referencing ${tables} for each statement
        execute function ${sql.id(`tally_videos_${event}`)}()`.execute(db);

    for (const { join, column } of labels) {
      const name = sql.id(`tally_${join}_${event}`);
      await sql`
        create function ${name}() returns trigger language plpgsql as $$
        begin
          insert into tally_changes (scope, videos, listed)
          select * from (
            select ${sql.id(column)}, sum(sign) as videos,
              coalesce(sum(sign) filter (where listed_at is not null), 0) as listed
            from (${sql.raw(rows)}) changed group by 1
          ) c where (c.videos, c.listed) <> (0, 0);
          return null;
        end $$`.execute(db);
      await sql`
        create trigger ${name} after ${sql.raw(event)} on ${sql.table(join)}
          referencing ${tables} for each statement execute function ${name}()`.execute(db);
    }
  }

  await sql`
    insert into tallies
    select '00000000-0000-0000-0000-000000000000', count(*),
      count(*) filter (where is_published and status = 'ready'),
      coalesce(sum(views), 0), coalesce(sum(likes), 0),
      coalesce(sum(views) filter (where is_published and status = 'ready'), 0),
      coalesce(sum(likes) filter (where is_published and status = 'ready'), 0)
    from videos`.execute(db);
}

/**
 * `listed_at` of a label's row is the publication time of a video that visitors see, and null
 * otherwise: the newest of a label are one walk of one index.
 */
async function addListedAt(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function listed_at(is_published boolean, status text, published_at timestamptz)
    returns timestamptz language sql immutable parallel safe as $$
      select case when is_published and status = 'ready' then published_at end
    $$`.execute(db);
  // Waits for whoever publishes or unpublishes the video at this moment.
  await sql`
    create function set_listed_at() returns trigger language plpgsql as $$
    begin
      select listed_at(v.is_published, v.status, v.published_at) into new.listed_at
      from videos v where v.id = new.video_id for share;
      return new;
    end $$`.execute(db);
  for (const { join, column } of labels) {
    await sql`alter table ${sql.table(join)} add column listed_at timestamptz`.execute(db);
    await sql`
      create index ${sql.id(`${join}_listed_idx`)}
        on ${sql.table(join)} (${sql.id(column)}, listed_at desc, video_id desc)
        where listed_at is not null`.execute(db);
    await sql`
      create trigger set_listed_at before insert or update of video_id, ${sql.id(column)}
        on ${sql.table(join)} for each row execute function set_listed_at()`.execute(db);
    await sql`
      insert into tally_changes (scope, videos)
      select ${sql.id(column)}, count(*) from ${sql.table(join)} group by 1`.execute(db);
    await sql`
      update ${sql.table(join)} j set listed_at = v.published_at
      from videos v where v.id = j.video_id and v.is_published and v.status = 'ready'`.execute(db);
  }
  await sql`
    create function list_labels_of_video() returns trigger language plpgsql as $$
    declare
      at timestamptz := listed_at(new.is_published, new.status, new.published_at);
    begin
      update video_categories set listed_at = at where video_id = new.id;
      update video_tags set listed_at = at where video_id = new.id;
      update video_actors set listed_at = at where video_id = new.id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger list_labels after update of is_published, status, published_at on videos
      for each row when (
        listed_at(old.is_published, old.status, old.published_at)
          is distinct from listed_at(new.is_published, new.status, new.published_at))
      execute function list_labels_of_video()`.execute(db);
}
