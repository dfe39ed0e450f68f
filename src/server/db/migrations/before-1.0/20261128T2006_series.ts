import { sql, type Kysely } from "kysely";

/**
 * Series: labels whose videos have an order. `series_key` sorts the videos of one label. New videos
 * of a series get a greater key than all before. Labels that have never been a series have no keys,
 * so the index stays small.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence series_keys`.execute(db);
  for (const [table, join, column] of [
    ["categories", "video_categories", "category_id"],
    ["tags", "video_tags", "tag_id"],
    ["actors", "video_actors", "actor_id"],
  ] as const) {
    await sql`
      alter table ${sql.table(table)} add column is_series boolean not null default false`.execute(
      db,
    );
    await sql`alter table ${sql.table(join)} add column series_key double precision`.execute(db);
    await sql`
      create index ${sql.id(`${join}_series_idx`)}
        on ${sql.table(join)} (${sql.id(column)}, series_key, video_id)
        where series_key is not null`.execute(db);
    // The lock waits for a change that turns the label into a series, and returns the new value. The
    // foreign key takes the same lock anyway. A video from the trash brings its key along.
    await sql`
      create function ${sql.id(`set_series_key_of_${table}`)}() returns trigger language plpgsql as $$
      declare
        ordered boolean;
      begin
        if new.series_key is null then
          select is_series into ordered
          from ${sql.table(table)} where id = new.${sql.id(column)} for key share;
          if ordered then new.series_key = nextval('series_keys'); end if;
        end if;
        return new;
      end $$`.execute(db);
    await sql`
      create trigger set_series_key before insert on ${sql.table(join)}
        for each row execute function ${sql.id(`set_series_key_of_${table}`)}()`.execute(db);
  }
}
