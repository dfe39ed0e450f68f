import type { Db } from "#server/db/connection.ts";

export interface StoredLadder {
  id: string;
  slug: string;
  masterKey: string;
}

/** Lists playable videos that have a ladder, newest first (by descending id). */
export async function listLadders(
  db: Db,
  { before, limit }: { before: string | null; limit: number },
): Promise<StoredLadder[]> {
  let query = db
    .selectFrom("videos")
    .select(["id", "slug", "hls_key"])
    .where("status", "=", "ready")
    .where("hls_key", "is not", null)
    .orderBy("id", "desc")
    .limit(limit);
  if (before !== null) query = query.where("id", "<", before);
  const rows = await query.execute();
  return rows.flatMap(({ id, slug, hls_key: masterKey }) =>
    masterKey === null ? [] : [{ id, slug, masterKey }],
  );
}
