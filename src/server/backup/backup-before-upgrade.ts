import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#server/db/connection.ts";
import { listApplied, migrations } from "#server/db/migrate.ts";
import { readDiskSpace } from "#server/lib/disk-space.ts";
import type { Logger } from "#server/lib/logger.ts";
import { createBackup } from "./create-backup.ts";
import { readDatabaseBytes } from "./tables.repository.ts";

const keptBackups = 3;
const name = /^before-upgrade-.*\.tar$/;
const partialName = /^before-upgrade-.*\.tar\.partial$/;
/** Age from which an unfinished file is from a backup that was interrupted. */
const abandonedMs = 3_600_000;

/**
 * Saves the rows of the embedded database before pending migrations change it. Without enough free
 * space, or if the backup fails, the upgrade continues and logs a warning, because migrations run
 * in one transaction.
 * @returns the path of the file, or null if none was written.
 */
export async function backupBeforeUpgrade(
  db: Db,
  { dataDir, logger }: { dataDir: string; logger: Logger },
): Promise<string | null> {
  const applied = await listApplied(db);
  const isUpgrade = Object.keys(migrations).some((migration) => !applied.includes(migration));
  if (applied.length === 0 || !isUpgrade) return null;
  const folder = join(dataDir, "backups");
  await removeAbandoned(folder);
  const { freeBytes } = await readDiskSpace(dataDir);
  // Rows as text are smaller than tables with indexes, but migrations need space, too.
  if (freeBytes < (await readDatabaseBytes(db)) * 2) {
    logger.warn("upgrading without a backup: not enough free space in DATA_DIR");
    return null;
  }
  const file = join(folder, `before-upgrade-${new Date().toISOString().replaceAll(":", "-")}.tar`);
  logger.warn({ file }, "backing up the database before the upgrade");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const passphrase = process.env["BACKUP_PASSPHRASE"] || null;
    await createBackup({ db, storage: null, file, passphrase });
    const files = (await readdir(folder)).filter((entry) => name.test(entry)).toSorted();
    for (const old of files.slice(0, -keptBackups)) await rm(join(folder, old));
  } catch (error) {
    logger.warn({ err: error }, "the backup before the upgrade failed");
    return null;
  }
  return file;
}

async function removeAbandoned(folder: string): Promise<void> {
  // The folder doesn't exist before the first backup.
  for (const entry of await readdir(folder).catch(() => [])) {
    if (!partialName.test(entry)) continue;
    const file = join(folder, entry);
    const info = await stat(file).catch(() => null);
    if (info === null || info.mtimeMs > Date.now() - abandonedMs) continue;
    await rm(file).catch(() => undefined);
  }
}
