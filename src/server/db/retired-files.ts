import { thumbnailFileNames } from "#contract/videos/thumbnail-files.ts";
import type { Trx } from "./connection.ts";

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
