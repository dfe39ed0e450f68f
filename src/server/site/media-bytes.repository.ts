import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";

/** Bytes that an address group received in one time slot; see `media-budget.ts`. */
export interface MediaBytes {
  group: string;
  slot: number;
  bytes: number;
}

/** Adds bytes to the counts of all processes. */
export async function addMediaBytes(db: Db, added: readonly MediaBytes[]): Promise<void> {
  await sql`
    insert into media_bytes as m (address_group, slot, bytes)
    select address_group, slot, bytes
    from unnest(
      ${added.map(({ group }) => group)}::text[],
      ${added.map(({ slot }) => slot)}::int[],
      ${added.map(({ bytes }) => bytes)}::bigint[]
    ) as g (address_group, slot, bytes)
    -- The same order in every process, so that no two processes wait for each other.
    order by 1, 2
    on conflict (address_group, slot) do update set bytes = m.bytes + excluded.bytes`.execute(db);
}

/** Reads the counts of address groups from a slot on. */
export async function readMediaBytes(
  db: Db,
  groups: readonly string[],
  firstSlot: number,
): Promise<MediaBytes[]> {
  const { rows } = await sql<MediaBytes>`
    select address_group as group, slot, bytes from media_bytes
    where address_group = any(${groups}::text[]) and slot >= ${firstSlot}`.execute(db);
  return rows;
}
