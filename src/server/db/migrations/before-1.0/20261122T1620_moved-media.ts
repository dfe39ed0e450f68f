import { sql, type Kysely } from "kysely";

/** Which objects a move of the media has copied and compared, so that it goes on where it was cut. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table moved_media (key text primary key)`.execute(db);
}
