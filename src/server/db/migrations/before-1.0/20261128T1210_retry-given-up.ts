import { sql, type Kysely } from "kysely";

/**
 * Retries videos once that failed without a reason in their file. On a read-only disk, missing
 * folders counted as the file's fault. The sweep queues videos that are unfinished.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update videos set status = 'processing', failures = 0, failure_reason = null, progress = 0
    where status = 'failed' and source_key is not null and failure_reason =
      'The video couldn''t be processed. Retry, or upload it in another format.'`.execute(db);
}
