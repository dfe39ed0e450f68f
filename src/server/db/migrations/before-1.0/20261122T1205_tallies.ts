import { sql, type Kysely } from "kysely";

const siteScope = "00000000-0000-0000-0000-000000000000";

const labels = [
  { join: "video_categories", column: "category_id" },
  { join: "video_tags", column: "tag_id" },
  { join: "video_actors", column: "actor_id" },
] as const;

/** For each event: the changed rows with a sign, and the transition tables they come from. */
const events = [
  {
    event: "insert",
    rows: "select 1 as sign, n.* from new_rows n",
    tables: "new table as new_rows",
  },
  {
    event: "update",
    rows: "select 1 as sign, n.* from new_rows n union all select -1, o.* from old_rows o",
    tables: "old table as old_rows new table as new_rows",
  },
  {
    event: "delete",
    rows: "select -1 as sign, o.* from old_rows o",
    tables: "old table as old_rows",
  },
] as const;

/**
 * Totals of the whole site, under the scope of zeros, and numbers of videos per label. Triggers add
 * a row for each change, so that no writer waits for another; base and changes together are exact at
 * any moment. A job folds the changes into the base.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const sums = sql`
      videos bigint not null default 0,
      listed bigint not null default 0,
      views bigint not null default 0,
      likes bigint not null default 0,
      listed_views bigint not null default 0,
      listed_likes bigint not null default 0,
      source_bytes bigint not null default 0,
      stored_bytes bigint not null default 0`;
  await sql`create table tallies (scope uuid primary key, ${sums})`.execute(db);
  await sql`create table tally_changes (scope uuid not null, ${sums})`.execute(db);
  await sql`create index tally_changes_scope_idx on tally_changes (scope)`.execute(db);
  await sql`insert into tallies (scope) values (${sql.lit(siteScope)})`.execute(db);

  for (const { event, rows, tables } of events) {
    const name = sql.id(`tally_videos_${event}`);
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        insert into tally_changes
        select * from (
          select ${sql.lit(siteScope)}::uuid,
            coalesce(sum(sign), 0) as videos,
            coalesce(sum(sign) filter (where is_listed), 0) as listed,
            coalesce(sum(sign * views), 0) as views,
            coalesce(sum(sign * likes), 0) as likes,
            coalesce(sum(sign * views) filter (where is_listed), 0) as lv,
            coalesce(sum(sign * likes) filter (where is_listed), 0) as ll,
            coalesce(sum(sign * source_bytes), 0) as source,
            coalesce(sum(sign * stored_bytes), 0) as stored
          from (${sql.raw(rows)}) changed
        ) c where (c.videos, c.listed, c.views, c.likes, c.lv, c.ll, c.source, c.stored)
          <> (0, 0, 0, 0, 0, 0, 0, 0);
        return null;
      end $$`.execute(db);
    await sql`
      create trigger ${name} after ${sql.raw(event)} on videos
        referencing ${sql.raw(tables)} for each statement execute function ${name}()`.execute(db);
  }

  for (const { join, column } of labels) {
    for (const { event, rows, tables } of events) {
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
          referencing ${sql.raw(tables)} for each statement execute function ${name}()`.execute(db);
    }
  }
}
