import { sql, type Kysely } from "kysely";

/** What a visitor moves to another device, until it is fetched or ten minutes have passed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_transfers (
      code_hash bytea primary key check (length(code_hash) = 32),
      data text not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index device_transfers_expiry_idx on device_transfers (expires_at)`.execute(db);
}
