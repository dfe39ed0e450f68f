import { sql } from "kysely";
import type { DbOrTrx } from "../../db/connection.ts";

/** So many wait at once: 256 MB at most. */
const waitingMax = 2000;

/** Keeps the data under a hash of its code. @returns false where too many wait already. */
export async function insertTransfer(
  db: DbOrTrx,
  transfer: { codeHash: Buffer; data: string; expiresAt: Date; now: Date },
): Promise<boolean> {
  await sql`delete from device_transfers where expires_at <= ${transfer.now}`.execute(db);
  const { rows } = await sql`
    insert into device_transfers (code_hash, data, expires_at)
    select ${transfer.codeHash}, ${transfer.data}, ${transfer.expiresAt}
    where (select count(*) from device_transfers) < ${waitingMax}
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Takes the data out: the second call with a code finds nothing. */
export async function takeTransfer(
  db: DbOrTrx,
  codeHash: Buffer,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ data: string; isValid: boolean }>`
    delete from device_transfers where code_hash = ${codeHash}
    returning data, expires_at > ${now} as "isValid"`.execute(db);
  return rows[0]?.isValid === true ? rows[0].data : null;
}
