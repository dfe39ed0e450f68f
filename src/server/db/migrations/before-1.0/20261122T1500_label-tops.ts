import { sql, type Kysely } from "kysely";

/**
 * The first videos of large labels in every order but the newest, so that a page of a label costs
 * the same however many videos the label has. `label_tops` holds ids only; their order is that of
 * the counts at the moment of reading. What comes before a bound is in `label_tops`, but for videos
 * in `label_top_changes`, which a job compares with the bounds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table label_top_bounds (
      label_id uuid not null,
      sort smallint not null,
      key double precision not null,
      video_id uuid not null,
      chosen_at timestamptz not null default now(),
      primary key (label_id, sort)
    )`.execute(db);
  await sql`
    create table label_tops (
      label_id uuid not null,
      sort smallint not null,
      video_id uuid not null,
      primary key (label_id, sort, video_id)
    )`.execute(db);
  // One row for each statement that counts: cheaper than to compare at every play.
  await sql`create table label_top_changes (video_ids uuid[] not null)`.execute(db);

  await sql`
    create function note_counted_videos() returns trigger language plpgsql as $$
    begin
      insert into label_top_changes
      select array_agg(id) from new_rows having count(*) > 0;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger note_counted_videos after update on videos
      referencing new table as new_rows for each statement
      execute function note_counted_videos()`.execute(db);
  // Only then do counts of a range rise by themselves.
  await sql`
    create function forget_label_tops() returns trigger language plpgsql as $$
    begin
      delete from label_top_bounds;
      delete from label_tops;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger forget_label_tops after update on ranking_window
      for each row when (new.hour < old.hour) execute function forget_label_tops()`.execute(db);
  for (const [join, column] of [
    ["video_categories", "category_id"],
    ["video_tags", "tag_id"],
    ["video_actors", "actor_id"],
  ] as const) {
    await addLabelTriggers(db, join, column);
  }
}

/** A video without the label leaves at once; one with a new label is compared. */
async function addLabelTriggers(db: Kysely<unknown>, join: string, column: string): Promise<void> {
  const entered = sql`
    insert into label_top_changes
    select array_agg(distinct video_id) from new_rows having count(*) > 0;`;
  const left = sql`
    delete from label_tops t using old_rows o
    where t.label_id = o.${sql.id(column)} and t.video_id = o.video_id`;
  // A label that only moved to another position stays.
  const isLost = sql`not exists (select from new_rows n
    where n.video_id = o.video_id and n.${sql.id(column)} = o.${sql.id(column)}
      and n.listed_at is not null)`;
  for (const [event, tables, work] of [
    ["insert", "new table as new_rows", entered],
    [
      "update",
      "old table as old_rows new table as new_rows",
      sql`${left} and ${isLost}; ${entered}`,
    ],
    ["delete", "old table as old_rows", sql`${left};`],
  ] as const) {
    const name = sql.id(`label_tops_${join}_${event}`);
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        ${work}
        return null;
      end $$`.execute(db);
    await sql`
      create trigger ${name} after ${sql.raw(event)} on ${sql.table(join)}
        referencing ${sql.raw(tables)} for each statement execute function ${name}()`.execute(db);
  }
}
