import { sql, type Kysely } from "kysely";

/** Videos of which copies of files may be in the published folder of the bucket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table published_media (media_token text primary key)`.execute(db);
}
