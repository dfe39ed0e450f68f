import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { listBackupTables } from "#server/backup/tables.repository.ts";
import type { Db } from "#server/db/connection.ts";
import type { createLocalStorage } from "#server/storage/local.storage.ts";

/** Returns the number of rows and a hash of them for each table in a backup. */
export async function hashTables(db: Db): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name } of await listBackupTables(db)) {
    const { rows } = await sql<{ hash: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text collate "C")), '')
        as hash from ${sql.table(name)} as t`.execute(db);
    hashes[name] = rows[0]?.hash ?? "";
  }
  return hashes;
}

/** Returns the SHA-256 of each stored file by key. */
export async function hashMedia(
  storage: ReturnType<typeof createLocalStorage>,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for await (const { key } of storage.list("")) {
    hashes.set(key, sha256(await readFile(storage.localPath(key))));
  }
  return hashes;
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");
