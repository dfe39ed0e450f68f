import { sql, type Kysely } from "kysely";

/**
 * Responses of requests that carried an idempotency key, for 24 hours. `status` is null while the
 * request runs; `claimed_at` then shows that its process still lives.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotent_requests (
      id bytea primary key,
      status int,
      body text,
      claimed_at timestamptz not null default now(),
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create index idempotent_requests_created_idx on idempotent_requests (created_at)`.execute(db);
}
