import type { SameFile } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import { isNotFound } from "#server/lib/app-error.ts";
import { hashOf } from "#server/lib/ids.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { VideoRow } from "../videos.repository.ts";
import { listSameSized, saveHash } from "./stored-files.repository.ts";
import { sourceKeyOf } from "./video-files.ts";

/** Storage as far as it is read here. */
type Originals = Pick<Storage, "openRead">;
type Source = Pick<VideoRow, "id" | "source_key" | "source_sha256">;

/**
 * Returns other videos made from the same file, oldest first. Compares sizes first, then hashes.
 */
export async function listSameFiles(
  deps: { db: Db; storage: Originals },
  row: Source & Pick<VideoRow, "source_bytes" | "dropped_bytes">,
): Promise<SameFile[]> {
  const others = await listSameSized(deps.db, row);
  if (others.length === 0) return [];
  const own = await findSourceHash(deps, row);
  const same: SameFile[] = [];
  for (const other of others) {
    const hash = await findSourceHash(deps, other);
    if (own === null || hash?.equals(own) !== true) continue;
    same.push({ id: other.id, slug: other.slug, title: other.title });
  }
  return same;
}

/**
 * Returns the source's hash. Computes it for files that are older than the column. Returns null if
 * the file no longer exists.
 */
export async function findSourceHash(
  { db, storage }: { db: Db; storage: Originals },
  row: Source,
): Promise<Buffer | null> {
  if (row.source_sha256 !== null) return row.source_sha256;
  try {
    const source = await storage.openRead(sourceKeyOf(row));
    try {
      const hash = await hashOf(source.pieces({ start: 0, end: source.stat.sizeBytes - 1 }));
      await saveHash(db, row, hash);
      return hash;
    } finally {
      source.close();
    }
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
