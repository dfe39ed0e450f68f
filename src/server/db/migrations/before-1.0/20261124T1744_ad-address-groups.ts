import { sql, type Kysely } from "kysely";

/**
 * Limits now rely on reservations alone, of which each address group gets a share. This version doesn't
 * use campaign_leases: a later release drops it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Reservations live for a minute: earlier ones belong to no group.
  await sql`alter table ad_reservations add column address_group text not null default ''`.execute(
    db,
  );
  await sql`
    create index ad_reservations_group_idx on ad_reservations (address_group, expires_at)`.execute(
    db,
  );
}
