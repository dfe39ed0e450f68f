import { sql, type Kysely } from "kysely";

/** Finds the due messages of each webhook by an index, because each has its own queue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index webhook_deliveries_waiting_idx on webhook_deliveries (webhook_id, next_at)
      where state = 'waiting';
    drop index webhook_deliveries_due_idx`.execute(db);
}
