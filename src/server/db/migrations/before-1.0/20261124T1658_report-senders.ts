import { sql, type Kysely } from "kysely";

/** Addresses that reports name, and whether their owners want mail about reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_senders (
      -- In lower case.
      email text primary key,
      token_hash bytea not null unique check (length(token_hash) = 32),
      asked_at timestamptz not null,
      confirmed_at timestamptz
    )`.execute(db);
  await sql`
    create index report_senders_asked_idx on report_senders (asked_at)
    where confirmed_at is null`.execute(db);
}
