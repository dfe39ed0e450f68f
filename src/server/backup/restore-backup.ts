import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isDatabaseUnreachable, type Db, type Trx } from "#server/db/connection.ts";
import {
  formerNames,
  listApplied,
  migrateToLatest,
  migrations,
  readFormerMigrations,
} from "#server/db/migrate.ts";
import { codeOf, hasCode, OperatorError } from "#server/lib/app-error.ts";
import { hasObjects, type Storage } from "#server/storage/storage.ts";
import {
  backupHead,
  headName,
  mediaFolder,
  sumsName,
  tableFile,
  type BackupHead,
} from "./backup-format.ts";
import { decrypt } from "./encryption.ts";
import { beginRestore, endRestore, isInUse, isSiteEmpty, writeRows } from "./tables.repository.ts";
import { readTar, type TarEntry } from "#server/lib/tar.ts";

const lookAgainMs = 200;

interface RestoreOptions {
  /** Unmigrated database with one connection. */
  db: Db;
  storage: Storage;
  file: string;
  passphrase: string | null;
}

interface RestoreReport {
  head: BackupHead;
  rows: number;
  files: number;
}

/**
 * Fills an empty site from a backup. Verifies every checksum before the rows become visible. After a
 * failure, the site is empty again, unless the rows may have been committed. Then the files are
 * retained. If files can't be deleted, the error mentions it.
 * @throws OperatorError in one line if the site isn't empty or the file isn't a complete backup.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { db, storage, file, passphrase } = options;
  const input = createReadStream(file, { highWaterMark: 2 ** 18 });
  try {
    const archive = readTar(decrypt(input, passphrase));
    const sums = new Map<string, string>();
    const head = await readHead(archive, sums);
    await requireEmptySite(options, head);
    await createSchema(db, head);
    const parts = { storage, archive, head, sums };
    const report = await db
      .transaction()
      .execute((trx) => fill({ trx, ...parts }))
      .catch((error: unknown) => cleanUp(options, head, error));
    await migrateToLatest(db).catch((error: unknown) => {
      throw needsMigration(error);
    });
    return { head, ...report };
  } catch (error) {
    throw explain(error, file);
  } finally {
    input.destroy();
  }
}

/**
 * Deletes the restored files. Retains them if the rows may have been committed although the
 * response was lost.
 */
async function cleanUp(
  { db, storage }: RestoreOptions,
  head: BackupHead,
  error: unknown,
): Promise<never> {
  // The lost connection may still be committing.
  if (await staysInUse(db)) throw error;
  if (!(await isSiteEmpty(db))) throw needsMigration(error);
  if (head.hasMedia) {
    await deleteFiles(storage).catch((cause: unknown) => {
      throw new OperatorError(
        `The restore stopped (${reasonOf(error)}). The database is empty, but some restored files couldn't be deleted from the storage (${reasonOf(cause)}). Fix the cause, delete these files, then run the command again.`,
        { cause: error },
      );
    });
  }
  throw error;
}

async function deleteFiles(storage: Storage): Promise<void> {
  for await (const { key } of storage.list("")) await storage.delete(key);
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";

const needsMigration = (error: unknown) =>
  new OperatorError(
    `Everything was restored, but the schema wasn't updated (${reasonOf(error)}). Run "npm run migrate".`,
    { cause: error },
  );

/**
 * Returns a one-line error for the operator if a damaged or manipulated file caused the failure.
 */
function explain(error: unknown, file: string): unknown {
  if (error instanceof OperatorError || isDatabaseUnreachable(error)) return error;
  const reason = reasonOf(error);
  const isOpening = error instanceof Error && "syscall" in error && error.syscall === "open";
  if (isOpening || hasCode(error, "EISDIR")) {
    return new OperatorError(`${file} cannot be read (${reason}).`, { cause: error });
  }
  if (isUnrelatedToFile(error)) {
    return new OperatorError(
      `The restore stopped (${reason}). The site is still empty. Remove the cause, such as a full disk, then run the command again.`,
      { cause: error },
    );
  }
  return new OperatorError(
    `${file} cannot be restored: it is damaged or was changed (${reason}). The site is still empty.`,
    { cause: error },
  );
}

/** Returns whether the storage, the disk or PostgreSQL failed. Classes 53 and 58 of PostgreSQL. */
function isUnrelatedToFile(error: unknown): boolean {
  const codes = /^(unavailable|storage_full|ENOSPC|EDQUOT|EIO|EROFS|EACCES|5[38]\w{3})$/;
  return codes.test(codeOf(error) ?? "");
}

async function requireEmptySite({ db, storage }: RestoreOptions, head: BackupHead): Promise<void> {
  if (await staysInUse(db)) {
    throw new OperatorError("Kinora is running on this database. Stop it first.");
  }
  if (!(await isSiteEmpty(db))) {
    throw new OperatorError(
      "This site isn't empty. Restore into a new DATA_DIR, or into a new database and storage.",
    );
  }
  if (head.hasMedia && (await hasObjects(storage))) {
    throw new OperatorError(
      "The database is empty, but the storage contains files, perhaps from an interrupted restore. Restore into a new DATA_DIR or bucket, or delete these files first.",
    );
  }
}

/** Waits, because PostgreSQL lists a connection for a moment after its program has ended. */
async function staysInUse(db: Db): Promise<boolean> {
  for (let looks = 0; looks < 10; looks += 1) {
    if (!(await isInUse(db))) return false;
    await wait(lookAgainMs);
  }
  return true;
}

/** Yields a file's content and records its checksum at the end. */
async function* checked(entry: TarEntry, sums: Map<string, string>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const piece of entry.content()) {
    hash.update(piece);
    yield piece;
  }
  sums.set(entry.name, hash.digest("hex"));
}

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

async function readHead(
  archive: AsyncGenerator<TarEntry>,
  sums: Map<string, string>,
): Promise<BackupHead> {
  const first = await archive.next();
  const isHead = first.done !== true && first.value.name === headName;
  const text = isHead ? await readText(checked(first.value, sums)) : "null";
  const head = backupHead.safeParse(parseJson(text));
  if (!head.success) throw new OperatorError("This version can't read the file as a backup.");
  return head.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Between 0.2.0 and the next release, another migration created this column. Backups from that time
 * contain the column even if this migration is missing from their list.
 */
const repairs = ["20261124T1636_source-url_source-url"];

/**
 * Creates the schema that the backup was made with. Newer migrations run after its rows are
 * restored.
 */
async function createSchema(db: Db, head: BackupHead): Promise<void> {
  const isFormer = head.migrations.some((name) => formerNames.has(name));
  const known = isFormer ? await readFormerMigrations() : migrations;
  const unknown = head.migrations.find((name) => known[name] === undefined);
  if (unknown !== undefined) {
    throw new OperatorError(
      `The backup was made by a newer version of Kinora (migration ${unknown}). Restore it with that version.`,
    );
  }
  const applied = await listApplied(db);
  const expectedNames = new Set([...head.migrations, ...repairs]);
  if (applied.some((name) => !expectedNames.has(name))) {
    throw new OperatorError(
      "A newer version of Kinora created this database. Restore into a new DATA_DIR or database.",
    );
  }
  const expected = Object.entries(known).filter(([name]) => expectedNames.has(name));
  await migrateToLatest(db, Object.fromEntries(expected));
}

async function fill(parts: {
  trx: Trx;
  storage: RestoreOptions["storage"];
  archive: AsyncGenerator<TarEntry>;
  head: BackupHead;
  sums: Map<string, string>;
}): Promise<{ rows: number; files: number }> {
  const { trx, storage, archive, head, sums } = parts;
  const tables = new Map(head.tables.map((table) => [table.name, table]));
  await using scratch = await storage.createScratch();
  const report = { rows: 0, files: 0 };
  let isComplete = false;
  await beginRestore(trx, head.tables, head.partitions);
  for await (const entry of archive) {
    if (entry.name === sumsName) {
      compareSums(await readText(entry.content()), sums);
      isComplete = true;
    } else if (entry.name.startsWith(mediaFolder)) {
      const path = join(scratch.path, "object");
      await writeFile(path, checked(entry, sums));
      await storage.putFile(entry.name.slice(mediaFolder.length), path, { consume: true });
      report.files += 1;
    } else {
      const table = tables.get(tableFile.exec(entry.name)?.[1] ?? "");
      if (table === undefined)
        throw new OperatorError(
          `The backup contains ${entry.name}, which this version doesn't know.`,
        );
      const lines = (await readText(checked(entry, sums))).split("\n").slice(0, -1);
      await writeRows(trx, table, lines);
      report.rows += lines.length;
    }
  }
  if (!isComplete) throw new OperatorError("The file is incomplete: its checksums are missing.");
  await endRestore(trx, head.tables, head.sequences);
  return report;
}

function compareSums(text: string, sums: ReadonlyMap<string, string>): void {
  const given = new Map(
    Array.from(text.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm), ([, sum = "", name = ""]) => [
      name,
      sum,
    ]),
  );
  const wrong = [...given.keys(), ...sums.keys()].find(
    (name) => given.get(name) !== sums.get(name),
  );
  if (wrong !== undefined)
    throw new OperatorError(`The file is damaged: the checksum of ${wrong} doesn't match.`);
}
