import { sql, type Kysely } from "kysely";

/**
 * Changes of many videos in one statement, such as those with a renamed label, take time in
 * proportion to their number. A full join is always a hash or merge join. The plan of an inner join
 * is a nested loop if the first change of the connection was that of one video.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $do$ begin
      execute replace(pg_get_functiondef('follow_changed_videos()'::regprocedure),
        'new_rows n join old_rows o', 'new_rows n full join old_rows o');
    end $do$`.execute(db);
}
