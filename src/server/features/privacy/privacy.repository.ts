import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/** Tables whose column `visitor_id` identifies a visitor. A test searches all tables. */
const ofVisitors = [
  "likes",
  "favorites",
  "watches",
  "comments",
  "ad_visitor_days",
  "ad_reservations",
  "referral_visitors",
  "device_transfers",
] as const;

/** Tables of the trash whose rows identify visitors. */
const visitorTables = ["likes", "favorites", "comments"] as const;

/**
 * Deletes the data stored under a visitor's cookie. Totals stay, because they don't identify
 * visitors.
 * @returns the number of rows.
 */
export async function deleteVisitor(trx: Trx, visitorId: string): Promise<number> {
  let deleted = 0;
  await sql`
    delete from reports where comment_id in (select id from comments where visitor_id = ${visitorId})`.execute(
    trx,
  );
  for (const table of ofVisitors) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where visitor_id = ${visitorId}`.execute(trx);
    deleted += Number(numAffectedRows ?? 0);
  }
  // Counters identify a visitor or an address in one column.
  await sql`delete from write_counts where key = ${`visitor:${visitorId}`}`.execute(trx);
  await sql`delete from ad_unverified_calls where caller = ${`visitor ${visitorId}`}`.execute(trx);
  return deleted + (await deleteFromTrash(trx, visitorId));
}

/** Deletes the visitor's rows from the trash, so that restoring a video doesn't bring them back. */
async function deleteFromTrash(trx: Trx, visitorId: string): Promise<number> {
  let deleted = 0;
  for (const table of visitorTables) {
    const own = JSON.stringify({ [table]: [{ visitor_id: visitorId }] });
    const { numAffectedRows } = await sql`
      update removed_videos set kept_rows = jsonb_set(kept_rows, array[${table}::text],
        (select coalesce(jsonb_agg(kept), '[]') from jsonb_array_elements(kept_rows -> ${table}::text) kept
          where kept ->> 'visitor_id' <> ${visitorId}))
      where kept_rows @> ${own}::jsonb`.execute(trx);
    deleted += Number(numAffectedRows ?? 0);
  }
  return deleted;
}

/** Deletes outdated rows that identify a visitor or a network address. */
export async function deleteOutdated(db: DbOrTrx, now: Date): Promise<void> {
  const minute = Math.floor(now.getTime() / 60_000) - 10;
  await sql`delete from write_counts where minute < ${minute}`.execute(db);
  // Slots of five minutes; see `media-budget.ts`.
  const slot = Math.floor(now.getTime() / 300_000) - 12;
  await sql`delete from media_bytes where slot < ${slot}`.execute(db);
  await sql`delete from device_transfers where expires_at <= ${now}`.execute(db);
  await sql`delete from ad_reservations where expires_at <= ${now}`.execute(db);
  await sql`
    delete from address_counts where created_at < ${now}::timestamptz - interval '1 day'`.execute(
    db,
  );
  await sql`
    delete from ad_unverified_calls where since < ${now}::timestamptz - interval '1 hour'`.execute(
    db,
  );
  await sql`
    delete from ad_visitor_days
    where day < (${now}::timestamptz at time zone 'UTC')::date - 1`.execute(db);
  // Unconfirmed addresses get no other mail until then.
  await sql`
    delete from report_senders
    where confirmed_at is null and asked_at < ${now}::timestamptz - interval '30 days'`.execute(db);
  // Only the limits of an hour need it.
  await sql`
    update report_senders set requester = null
    where requester is not null and asked_at < ${now}::timestamptz - interval '1 hour'`.execute(db);
  for (const table of ["reports", "comments"]) {
    await sql`
      update ${sql.table(table)} set address_key = null
      where address_key is not null and created_at < ${now}::timestamptz - interval '1 day'`.execute(
      db,
    );
  }
}
