import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";

/** Maximum number of waiting transfers. Their data takes up to 769 MB in total. */
const waitingMax = 1000;
/** Maximum number of waiting transfers from one address group. */
const groupMax = 20;

/** Stores the data under a hash of its code. @returns false if too many are waiting. */
export async function insertTransfer(
  db: DbOrTrx,
  transfer: {
    codeHash: Buffer;
    data: string;
    visitorId: string | null;
    addressGroup: string;
    expiresAt: Date;
    now: Date;
  },
): Promise<boolean> {
  await sql`delete from device_transfers where expires_at <= ${transfer.now}`.execute(db);
  const { rows } = await sql`
    insert into device_transfers (code_hash, data, visitor_id, address_group, expires_at)
    select ${transfer.codeHash}, ${transfer.data}, ${transfer.visitorId}, ${transfer.addressGroup},
      ${transfer.expiresAt}
    where (select count(*) from device_transfers) < ${waitingMax}
      and (select count(*) from device_transfers where address_group = ${transfer.addressGroup})
        < ${groupMax}
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Removes and returns the data, so that a code works once. */
export async function takeTransfer(
  db: DbOrTrx,
  codeHash: Buffer,
  now: Date,
): Promise<{ data: string; visitorId: string | null } | null> {
  const { rows } = await sql<{ data: string; visitorId: string | null; isValid: boolean }>`
    delete from device_transfers where code_hash = ${codeHash}
    returning data, visitor_id as "visitorId", expires_at > ${now} as "isValid"`.execute(db);
  const [taken] = rows;
  return taken?.isValid === true ? taken : null;
}
