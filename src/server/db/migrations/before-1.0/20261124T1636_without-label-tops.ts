import { sql, type Kysely } from "kysely";

const joins = ["video_categories", "video_tags", "video_actors"] as const;
const events = ["insert", "update", "delete"] as const;

/**
 * Stops maintaining the first videos of large labels, because lists of labels are now read along the
 * order of the whole list. The empty tables stay for processes of 0.2 during an upgrade, which then
 * sort labels themselves. Unused since 0.3.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger note_counted_videos on videos`.execute(db);
  await sql`drop trigger forget_label_tops on ranking_window`.execute(db);
  for (const join of joins) {
    for (const event of events) {
      const name = sql.id(`label_tops_${join}_${event}`);
      await sql`drop trigger ${name} on ${sql.table(join)}`.execute(db);
      await sql`drop function ${name}`.execute(db);
    }
  }
  await sql`drop function note_counted_videos, forget_label_tops`.execute(db);
  await sql`truncate label_tops, label_top_bounds, label_top_changes`.execute(db);
}
