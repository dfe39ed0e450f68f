import { sql } from "kysely";
import { thumbnailFileNames } from "#contract/videos/thumbnail-files.ts";
import type { DbOrTrx, Trx } from "./connection.ts";

/** Time for which cached pages and open players may request files that are no longer referenced. */
const retiredMs = 24 * 3600 * 1000;

/**
 * Records that the sweep deletes these files, by default a day later. Runs in the transaction that
 * replaces them.
 */
export async function retireFiles(
  trx: Trx,
  keys: readonly (string | null)[],
  goesAt = new Date(Date.now() + retiredMs),
): Promise<void> {
  const rows = [...new Set(keys)].flatMap((key) =>
    key === null ? [] : thumbnailFileNames(key).map((file) => ({ key: file, goes_at: goesAt })),
  );
  if (rows.length === 0) return;
  await trx
    .insertInto("retired_files")
    .values(rows)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ goes_at: goesAt }))
    .execute();
}

/** Returns the keys of retired files that cached pages no longer request. */
export async function listDueFiles(db: DbOrTrx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("retired_files")
    .select("key")
    .where("goes_at", "<=", sql<Date>`now()`)
    .orderBy("goes_at")
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}

export async function forgetRetired(db: DbOrTrx, key: string): Promise<void> {
  await db.deleteFrom("retired_files").where("key", "=", key).execute();
}
