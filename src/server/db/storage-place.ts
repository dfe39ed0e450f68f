import type { DbOrTrx, Trx } from "./connection.ts";
import { sql } from "kysely";

export type StorageKind = "disk" | "s3";

/** A storage that this site uses; the storage itself holds the same id. */
export interface StoragePlace {
  kind: StorageKind;
  id: string;
}

export interface StoragePlaces {
  /** Where new files go. */
  current: StoragePlace;
  /** The second storage of a move that has not ended: its target, then its source. */
  other: StoragePlace | null;
}

/** The places of the media, or the id that the first storage is to get. */
export async function readStoragePlaces(
  db: DbOrTrx,
): Promise<StoragePlaces | { current: null; newId: string }> {
  const row = await db.selectFrom("media_storage").selectAll().executeTakeFirstOrThrow();
  if (row.kind === null) return { current: null, newId: row.storage_id };
  const { other_kind: otherKind, other_storage_id: otherId } = row;
  return {
    current: { kind: row.kind, id: row.storage_id },
    other: otherKind === null || otherId === null ? null : { kind: otherKind, id: otherId },
  };
}

/** Null in a database of an earlier version. */
export async function findStoragePlaces(db: DbOrTrx) {
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass('media_storage')::text as found`.execute(db);
  return rows[0]?.found == null ? null : readStoragePlaces(db);
}

/** Lets one process at a time decide where the media are. */
export async function lockStoragePlaces(trx: Trx): Promise<void> {
  await sql`select from media_storage for update`.execute(trx);
}

export async function saveStoragePlaces(db: DbOrTrx, places: StoragePlaces): Promise<void> {
  await db
    .updateTable("media_storage")
    .set({
      kind: places.current.kind,
      storage_id: places.current.id,
      other_kind: places.other?.kind ?? null,
      other_storage_id: places.other?.id ?? null,
    })
    .execute();
}

/** Whether rows name files that the storage should hold. */
export async function namesMediaFiles(db: DbOrTrx): Promise<boolean> {
  const row = await db
    .selectFrom("videos")
    .select("id")
    .where("source_key", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
