import type { Db } from "#server/db/connection.ts";
import type { VideoRow } from "../videos.repository.ts";

/** Maximum number of candidates. Files of equal size are usually the same file. */
const maxFound = 20;

type SourceRow = Pick<VideoRow, "id" | "slug" | "title" | "source_key" | "source_sha256">;

/** Returns other videos whose source has the same size, oldest first. */
export async function listSameSized(
  db: Db,
  { id, ...row }: Pick<VideoRow, "id" | "source_bytes" | "dropped_bytes">,
): Promise<SourceRow[]> {
  const sizeBytes = row.source_bytes ?? row.dropped_bytes;
  if (sizeBytes === null) return [];
  return db
    .selectFrom("videos")
    .select(["id", "slug", "title", "source_key", "source_sha256"])
    .where(({ or, eb }) =>
      or([eb("source_bytes", "=", sizeBytes), eb("dropped_bytes", "=", sizeBytes)]),
    )
    .where("id", "<>", id)
    .orderBy("id")
    .limit(maxFound)
    .execute();
}

/** Saves the hash unless another file has replaced the source. */
export async function saveHash(
  db: Db,
  { id, source_key }: Pick<VideoRow, "id" | "source_key">,
  hash: Buffer,
): Promise<void> {
  await db
    .updateTable("videos")
    .set({ source_sha256: hash })
    .where("id", "=", id)
    .where("source_key", "is not distinct from", source_key)
    .execute();
}
