import { sql, type Kysely } from "kysely";

/**
 * Labels, range scores and search follow a video's publication and words, once per statement rather
 * than once per row: publishing a hundred videos writes to each of these tables once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const labels = ["video_categories", "video_tags", "video_actors"].map(
    (table) => sql`
        update ${sql.table(table)} j set listed_at = listed_at(n.is_listed, n.published_at)
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
        array_agg(n.id) filter (where listed_at(n.is_listed, n.published_at)
          is distinct from listed_at(o.is_listed, o.published_at)),
        array_agg(n.id) filter (where n.is_listed is distinct from o.is_listed),
        array_agg(n.id) filter (where (n.title, n.description)
          is distinct from (o.title, o.description))
      into relisted, flipped, reworded
      from new_rows n join old_rows o on o.id = n.id;
      if relisted is not null then
        ${sql.join(labels, sql` `)}
      end if;
      if flipped is not null then
        update video_range_scores s set is_listed = n.is_listed
        from new_rows n where n.id = s.video_id and s.video_id = any(flipped);
        -- A document that is still to be written gets the value of that moment.
        update video_search s set is_listed = n.is_listed
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
