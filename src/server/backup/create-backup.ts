import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Db } from "#server/db/connection.ts";
import { listApplied } from "#server/db/migrate.ts";
import { isNotFound, OperatorError, codeOf, hasCode } from "#server/lib/app-error.ts";
import { readDiskSpace } from "#server/lib/disk-space.ts";
import { syncFolder } from "#server/lib/sync-folder.ts";
import type { Storage } from "#server/storage/storage.ts";
import {
  headName,
  mediaFolder,
  sumsName,
  tableFileName,
  type BackupHead,
} from "./backup-format.ts";
import { encrypt } from "./encryption.ts";
import {
  beginSnapshot,
  listBackupPartitions,
  listBackupTables,
  listSequences,
  readRows,
} from "./tables.repository.ts";
import { tarEnd, tarHeader, tarPadding } from "#server/lib/tar.ts";

export interface BackupReport {
  rows: number;
  files: number;
  /** Number of files removed during the backup. */
  missing: number;
  sizeBytes: number;
}

interface BackupOptions {
  db: Db;
  /** Media to save; null saves only the rows. */
  storage: Storage | null;
  file: string;
  passphrase: string | null;
}

/**
 * Writes the whole running site into a file: a consistent snapshot of the database, and the media
 * files. The file gets its name only once it is complete.
 * @throws OperatorError if the database is empty, or if the file exists, can't be written or can't
 * fit on its disk.
 */
export async function createBackup(options: BackupOptions): Promise<BackupReport> {
  const { file, passphrase } = options;
  const report = { rows: 0, files: 0, missing: 0, sizeBytes: 0 };
  const partial = `${file}.partial`;
  await refuseExisting(file);
  const handle = await open(partial, "wx", 0o600).catch((error: unknown) => {
    throw explain(error, partial);
  });
  try {
    await refuseFullDisk(options);
    const archive = writeArchive(options, report);
    for await (const piece of passphrase === null ? archive : encrypt(archive, passphrase)) {
      await handle.writeFile(piece);
      report.sizeBytes += piece.length;
    }
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw explain(error, partial);
  }
  return report;
}

async function refuseExisting(file: string): Promise<void> {
  const existing = await open(file, "r").catch(() => null);
  await existing?.close();
  if (existing !== null) throw new OperatorError(`${file} already exists. Choose another file.`);
}

/**
 * Refuses a backup that can't fit. Counts only the media, because the size of the rows isn't known
 * yet.
 */
async function refuseFullDisk({ storage, file }: BackupOptions): Promise<void> {
  if (storage === null) return;
  let neededBytes = 0;
  for await (const { sizeBytes } of storage.list("")) neededBytes += sizeBytes;
  const { freeBytes, sizeBytes } = await readDiskSpace(dirname(file));
  // Some network file systems report no sizes.
  if (sizeBytes === 0 || neededBytes <= freeBytes) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new OperatorError(
    `${file} needs more than ${gigabytes(neededBytes)}, but only ${gigabytes(freeBytes)} is free. Free space, or choose another folder.`,
  );
}

function explain(error: unknown, file: string): unknown {
  const code = codeOf(error) ?? "";
  if (code === "EEXIST") {
    return new OperatorError(
      `${file} exists: another backup is running, or one was interrupted. If none is running, delete the file.`,
    );
  }
  if (hasCode(error, "ENOSPC", "EDQUOT")) {
    return new OperatorError(
      `${file} can't be written: the disk is full. Free space, or choose another folder.`,
      { cause: error },
    );
  }
  if (!/^E[A-Z]+$/.test(code)) return error;
  return new OperatorError(`${file} cannot be written (${code}).`, { cause: error });
}

/** Yields the bytes of the archive and records each file's checksum. */
async function* writeArchive(
  { db, storage }: BackupOptions,
  report: BackupReport,
): AsyncGenerator<Buffer> {
  const sums: string[] = [];
  async function* entry(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>) {
    const hash = createHash("sha256");
    yield tarHeader(name, sizeBytes);
    for await (const piece of content) {
      hash.update(piece);
      // Copied, because the storage reuses its buffers.
      yield Buffer.from(piece);
    }
    yield tarPadding(sizeBytes);
    sums.push(`${hash.digest("hex")}  ${name}\n`);
  }
  const text = (name: string, value: string) => {
    const bytes = Buffer.from(value);
    return entry(name, bytes.length, inOnePiece(bytes));
  };

  const trx = await db.startTransaction().execute();
  try {
    await beginSnapshot(trx);
    const migrations = await listApplied(trx);
    if (migrations.length === 0) {
      throw new OperatorError(
        "The database is empty, so there is nothing to back up. Set the same DATA_DIR or DATABASE_URL as for npm start.",
      );
    }
    const head: BackupHead = {
      kinoraBackup: 1,
      createdAt: new Date().toISOString(),
      migrations,
      tables: await listBackupTables(trx),
      partitions: await listBackupPartitions(trx),
      sequences: await listSequences(trx),
      hasMedia: storage !== null,
    };
    yield* text(headName, `${JSON.stringify(head, null, 2)}\n`);
    for (const table of head.tables) {
      let part = 0;
      for await (const lines of readRows(trx, table)) {
        part += 1;
        report.rows += lines.length;
        yield* text(tableFileName(table.name, part), `${lines.join("\n")}\n`);
      }
    }
  } finally {
    await trx.rollback().execute();
  }

  if (storage !== null) {
    for await (const { key } of storage.list("")) {
      const object = await storage.openRead(key).catch((error: unknown) => {
        if (isNotFound(error)) return null;
        throw error;
      });
      if (object === null) {
        report.missing += 1;
        continue;
      }
      try {
        const { sizeBytes } = object.stat;
        yield* entry(mediaFolder + key, sizeBytes, object.pieces({ start: 0, end: sizeBytes - 1 }));
        report.files += 1;
      } finally {
        object.close();
      }
    }
  }
  yield* text(sumsName, sums.join(""));
  yield tarEnd();
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
