import { sql, type Kysely } from "kysely";

/**
 * Limit of media bytes per hour, and the bytes that each address group received in each five
 * minutes. `address_group` is a keyed hash that changes daily.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column media_bytes_per_hour bigint`.execute(db);
  await sql`
    create unlogged table media_bytes (
      address_group text not null,
      slot int not null,
      bytes bigint not null,
      primary key (address_group, slot)
    )`.execute(db);
}
