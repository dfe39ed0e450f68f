import { sql, type Kysely } from "kysely";

/**
 * Writes of visitors and addresses per minute, summed over all processes. Unlogged: after a crash
 * counting starts again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table write_counts (
      minute int not null,
      key text not null,
      writes int not null,
      primary key (minute, key)
    )`.execute(db);
}
