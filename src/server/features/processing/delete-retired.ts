import type { Db } from "#server/db/connection.ts";
import { isNamed } from "#server/db/file-references.ts";
import { forgetRetired, listDueFiles } from "#server/db/retired-files.ts";
import { publishedPrefix } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";

const retiredAtOnce = 500;

/** Deletes replaced files that no cached page shows any more, and their public copies. */
export async function deleteRetired(
  { db, storage }: { db: Db; storage: Pick<Storage, "delete"> },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const keys = await listDueFiles(db, retiredAtOnce);
    for (const key of keys) {
      signal.throwIfAborted();
      if (!(await isNamed(db, key))) {
        await storage.delete(key);
        await storage.delete(publishedPrefix + key);
      }
      await forgetRetired(db, key);
    }
    if (keys.length < retiredAtOnce) return;
  }
}
