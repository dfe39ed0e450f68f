import type { DbOrTrx, Trx } from "./connection.ts";
import { sql } from "kysely";

export type StorageKind = "disk" | "s3";

/** Storage that this site uses. The storage contains the same id. */
export interface StoragePlace {
  kind: StorageKind;
  id: string;
}

export interface StoragePlaces {
  /** Place of new files. */
  current: StoragePlace;
  /** Second storage of an unfinished migration. At first that is the target, later the source. */
  other: StoragePlace | null;
}

/** Returns the places of the media, or the id for the first storage. */
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

/** Returns the places, or null in a database of an earlier version. */
export async function findStoragePlaces(db: DbOrTrx) {
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass('media_storage')::text as found`.execute(db);
  return rows[0]?.found == null ? null : readStoragePlaces(db);
}

/** Lets one process at a time decide where media are stored. */
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

/** Returns whether rows refer to files that the storage should contain. */
export async function namesMediaFiles(db: DbOrTrx): Promise<boolean> {
  const row = await db
    .selectFrom("videos")
    .select("id")
    .where("source_key", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
