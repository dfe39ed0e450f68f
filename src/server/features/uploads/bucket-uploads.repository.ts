import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";

/** Upload stored in a bucket: complete parts, then a tail too short for a part. */
export interface BucketUpload {
  id: string;
  account: string | null;
  sizeBytes: number;
  metadata: Record<string, string | null>;
  s3UploadId: string;
  partsBytes: number;
  tailKey: string | null;
  tailBytes: number;
  isComplete: boolean;
  createdAt: Date;
}

interface Part {
  number: number;
  etag: string;
  sizeBytes: number;
}

export async function insertUpload(
  db: Db,
  upload: Pick<BucketUpload, "id" | "account" | "sizeBytes" | "metadata" | "s3UploadId">,
): Promise<void> {
  await db
    .insertInto("staged_uploads")
    .values({
      id: upload.id,
      account: upload.account,
      size_bytes: upload.sizeBytes,
      metadata: upload.metadata,
      s3_upload_id: upload.s3UploadId,
    })
    .execute();
}

export async function findUpload(db: Db, id: string): Promise<BucketUpload | null> {
  const row = await db
    .selectFrom("staged_uploads")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    account: row.account,
    sizeBytes: row.size_bytes,
    metadata: row.metadata,
    s3UploadId: row.s3_upload_id,
    partsBytes: row.parts_bytes,
    tailKey: row.tail_key,
    tailBytes: row.tail_bytes,
    isComplete: row.is_complete,
    createdAt: row.created_at,
  };
}

/** Returns a part number that is higher than all earlier ones. */
export async function takePartNumber(db: Db, id: string): Promise<number> {
  const row = await db
    .updateTable("staged_uploads")
    .set({ last_part: sql<number>`last_part + 1` })
    .where("id", "=", id)
    .returning("last_part")
    .executeTakeFirstOrThrow();
  return row.last_part;
}

/** @returns false unless the part starts where the stored ones end. */
export function addPart(db: Db, id: string, startBytes: number, part: Part): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("staged_uploads")
      .set({
        parts_bytes: startBytes + part.sizeBytes,
        tail_key: null,
        tail_bytes: 0,
        touched_at: sql<Date>`now()`,
      })
      .where("id", "=", id)
      .where("parts_bytes", "=", startBytes)
      .returning("id")
      .executeTakeFirst();
    if (row === undefined) return false;
    await trx
      .insertInto("staged_upload_parts")
      .values({
        upload_id: id,
        number: part.number,
        etag: part.etag,
        size_bytes: part.sizeBytes,
      })
      .execute();
    return true;
  });
}

/** @returns false if other parts were stored in the meantime. */
export async function setTail(
  db: Db,
  id: string,
  partsBytes: number,
  tail: { key: string; sizeBytes: number },
): Promise<boolean> {
  const row = await db
    .updateTable("staged_uploads")
    .set({ tail_key: tail.key, tail_bytes: tail.sizeBytes, touched_at: sql<Date>`now()` })
    .where("id", "=", id)
    .where("parts_bytes", "=", partsBytes)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function listParts(db: Db, id: string): Promise<Part[]> {
  const rows = await db
    .selectFrom("staged_upload_parts")
    .select(["number", "etag", "size_bytes as sizeBytes"])
    .where("upload_id", "=", id)
    .orderBy("number")
    .execute();
  return rows;
}

export async function markComplete(db: Db, id: string): Promise<void> {
  await db
    .updateTable("staged_uploads")
    .set({ is_complete: true, touched_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom("staged_uploads").where("id", "=", id).execute();
}

export async function listUntouched(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("staged_uploads")
    .select("id")
    .where("touched_at", "<", before)
    .execute();
  return rows.map(({ id }) => id);
}

/** Counts an account's uploads that have grown since then. */
export async function countOpen(db: Db, account: string | null, since: Date): Promise<number> {
  const row = await db
    .selectFrom("staged_uploads")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("account", "is not distinct from", account)
    .where("touched_at", ">=", since)
    .executeTakeFirstOrThrow();
  return row.count;
}
