import { sql, type Kysely } from "kysely";

/** Who watched a video for real, the latest first: what else they watched is related to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index watches_engaged_idx on watches (video_id, updated_at desc, visitor_id desc)
      where engaged`.execute(db);
}
