import type { DbOrTrx, Trx } from "#server/db/connection.ts";

export interface BlockedFileRow {
  sha256: Buffer;
  sizeBytes: number;
  videoTitle: string;
  blockedBy: string;
  createdAt: Date;
}

export async function insertBlockedFile(
  trx: Trx,
  row: Omit<BlockedFileRow, "createdAt"> & { fingerprint: Buffer | null },
): Promise<void> {
  await trx
    .insertInto("blocked_files")
    .values({
      sha256: row.sha256,
      size_bytes: row.sizeBytes,
      fingerprint: row.fingerprint,
      video_title: row.videoTitle,
      blocked_by: row.blockedBy,
    })
    .onConflict((conflict) => conflict.column("sha256").doNothing())
    .execute();
}

export async function listBlockedFiles(db: DbOrTrx): Promise<BlockedFileRow[]> {
  return db
    .selectFrom("blocked_files")
    .select([
      "sha256",
      "size_bytes as sizeBytes",
      "video_title as videoTitle",
      "blocked_by as blockedBy",
      "created_at as createdAt",
    ])
    .orderBy("created_at", "desc")
    .limit(1000)
    .execute();
}

export async function listFingerprints(
  db: DbOrTrx,
): Promise<{ fingerprint: Buffer; videoTitle: string }[]> {
  return db
    .selectFrom("blocked_files")
    .select(["fingerprint", "video_title as videoTitle"])
    .where("fingerprint", "is not", null)
    .$narrowType<{ fingerprint: Buffer }>()
    .orderBy("created_at")
    .execute();
}

export async function isBlocked(db: DbOrTrx, hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom("blocked_files")
    .select("size_bytes")
    .where("sha256", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns the title of the video that had the file, or null if it was not blocked. */
export async function deleteBlockedFile(trx: Trx, hash: Buffer): Promise<string | null> {
  const row = await trx
    .deleteFrom("blocked_files")
    .where("sha256", "=", hash)
    .returning("video_title as title")
    .executeTakeFirst();
  return row?.title ?? null;
}
