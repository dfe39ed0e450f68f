import { sql } from "kysely";
import type { PassDevice, PassQuery } from "#contract/visitors/passes.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import type { Db, DbOrTrx, Trx } from "#server/db/connection.ts";

export interface PassRow {
  id: string;
  sealedCode: Buffer;
  note: string | null;
  email: string | null;
  reference: string | null;
  terms: unknown;
  validUntil: Date;
  maxDevices: number;
  revokedAt: Date | null;
  endedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  devices: number;
}

const columns = sql`
  p.id, p.sealed_code as "sealedCode", p.note, p.email, p.reference, p.terms,
  p.valid_until as "validUntil", p.max_devices as "maxDevices", p.revoked_at as "revokedAt",
  p.ended_at as "endedAt", p.last_used_at as "lastUsedAt", p.created_at as "createdAt",
  (select count(*)::int from pass_devices d where d.pass_id = p.id) as devices`;

/** Escapes the wildcards of LIKE. */
const containing = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

function conditionOf({ search, reference, state }: PassQuery, now: Date) {
  const words =
    search === undefined
      ? sql`true`
      : sql`concat_ws(' ', p.note, p.email, p.reference) ilike ${containing(search)}`;
  const states = {
    active: sql`p.revoked_at is null and p.valid_until > ${now}`,
    expired: sql`p.revoked_at is null and p.valid_until <= ${now}`,
    revoked: sql`p.revoked_at is not null`,
  };
  const owned = reference === undefined ? sql`true` : sql`p.reference = ${reference}`;
  return sql`${words} and ${owned} and ${state === undefined ? sql`true` : states[state]}`;
}

/** Returns a page of passes, newest first, and how many there are. */
export async function listPasses(
  db: DbOrTrx,
  query: PassQuery,
  page: { limit: number; offset: number; now: Date },
): Promise<{ rows: PassRow[]; total: number }> {
  const condition = conditionOf(query, page.now);
  const { rows } = await sql<PassRow>`select ${columns} from passes p where ${condition}
    order by p.created_at desc, p.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from passes p where ${condition}`.execute(db);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

/** Finds a pass by its id, the hash of its code, or the shop's reference. */
async function findBy(
  db: DbOrTrx,
  name: "id" | "code_hash" | "reference",
  value: string | Buffer,
  isLocked: boolean,
): Promise<PassRow | null> {
  const { rows } = await sql<PassRow>`select ${columns} from passes p
    where p.${sql.ref(name)} = ${value} ${isLocked ? sql`for update` : sql``}`.execute(db);
  return rows[0] ?? null;
}

export const findPass = (db: DbOrTrx, id: string) => findBy(db, "id", id, false);
export const findByReference = (db: DbOrTrx, reference: string) =>
  findBy(db, "reference", reference, false);
export const findByCode = (db: DbOrTrx, codeHash: Buffer) =>
  findBy(db, "code_hash", codeHash, false);

/** Locks a pass, so that its devices are counted and changed by one request at a time. */
export const lockPass = (trx: Trx, id: string) => findBy(trx, "id", id, true);
export const lockByCode = (trx: Trx, codeHash: Buffer) => findBy(trx, "code_hash", codeHash, true);

export interface NewPass {
  id: string;
  codeHash: Buffer;
  sealedCode: Buffer;
  note: string | null;
  email: string | null;
  reference: string | null;
  terms: object;
  validUntil: Date;
  maxDevices: number;
  createdAt: Date;
}

/** @returns false if another pass has the reference. */
export async function insertPass(trx: Trx, pass: NewPass): Promise<boolean> {
  const inserted = await trx
    .insertInto("passes")
    .values({
      id: pass.id,
      code_hash: pass.codeHash,
      sealed_code: pass.sealedCode,
      note: pass.note,
      email: pass.email,
      reference: pass.reference,
      terms: JSON.stringify(pass.terms),
      valid_until: pass.validUntil,
      max_devices: pass.maxDevices,
      created_at: pass.createdAt,
    })
    .onConflict((conflict) => conflict.column("reference").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Returns sealed codes in the order of the ids after this one; empty if there are none. */
export function listSealed(
  db: DbOrTrx,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; sealedCode: Buffer }[]> {
  return db
    .selectFrom("passes")
    .select(["id", "sealed_code as sealedCode"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function updatePass(
  trx: DbOrTrx,
  id: string,
  values: {
    note?: string | null | undefined;
    email?: string | null | undefined;
    valid_until?: Date | undefined;
    max_devices?: number | undefined;
    revoked_at?: Date | undefined;
    ended_at?: Date | null | undefined;
    last_used_at?: Date | undefined;
    sealed_code?: Buffer | undefined;
  },
): Promise<void> {
  await trx
    .updateTable("passes")
    .set({ ...values, id })
    .where("id", "=", id)
    .execute();
}

/** Returns the devices of a pass, the longest unused one first. */
export async function listDevices(db: DbOrTrx, passId: string): Promise<PassDevice[]> {
  const { rows } = await sql<PassDevice>`
    select id, name, last_used_at as "lastUsedAt" from pass_devices
    where pass_id = ${passId} order by last_used_at, id`.execute(db);
  return rows;
}

export async function insertDevice(
  trx: Trx,
  device: { id: string; passId: string; tokenHash: Buffer; name: string; now: Date },
): Promise<void> {
  await trx
    .insertInto("pass_devices")
    .values({
      id: device.id,
      pass_id: device.passId,
      token_hash: device.tokenHash,
      name: device.name,
      created_at: device.now,
      last_used_at: device.now,
    })
    .execute();
}

export async function deleteDevices(trx: DbOrTrx, passId: string, ids: readonly string[]) {
  await sql`delete from pass_devices
    where pass_id = ${passId} and id = any(${[...ids]}::uuid[])`.execute(trx);
}

/** Deletes the device with this cookie, also of a pass that has ended. */
export async function deleteDeviceByToken(db: DbOrTrx, tokenHash: Buffer): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from pass_devices where token_hash = ${tokenHash}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export interface MemberRow {
  deviceId: string;
  passId: string;
  validUntil: Date;
  revokedAt: Date | null;
  lastUsedAt: Date;
}

/** Returns the device with this cookie and the terms of its pass. */
export async function findDevice(db: DbOrTrx, tokenHash: Buffer): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`${prepared}
    select d.id as "deviceId", p.id as "passId", p.valid_until as "validUntil",
      p.revoked_at as "revokedAt", d.last_used_at as "lastUsedAt"
    from pass_devices d join passes p on p.id = d.pass_id
    where d.token_hash = ${tokenHash}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Records that a device played a video. Holds one row lock at a time, because other requests lock a
 * pass before its devices.
 */
export async function noteUse(db: Db, { deviceId, passId }: MemberRow, now: Date) {
  await sql`update pass_devices set last_used_at = ${now} where id = ${deviceId}`.execute(db);
  await sql`update passes set last_used_at = ${now} where id = ${passId}`.execute(db);
}

/** Tells webhooks about a pass. */
export async function noteEvent(
  trx: DbOrTrx,
  event: "pass.created" | "pass.used" | "pass.ended",
  about: object,
): Promise<void> {
  await sql`select note_webhook_event(${event}, ${JSON.stringify(about)}::jsonb)`.execute(trx);
}

/** Marks expired passes as ended. @returns them. */
export async function takeExpired(
  trx: Trx,
  now: Date,
): Promise<{ id: string; reference: string | null }[]> {
  const { rows } = await sql<{ id: string; reference: string | null }>`
    update passes set ended_at = ${now} where id in (
      select id from passes where ended_at is null and valid_until <= ${now}
      order by id limit 1000 for update skip locked)
    returning id, reference`.execute(trx);
  return rows;
}
