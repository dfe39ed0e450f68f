import { randomBytes } from "node:crypto";
import { chown, link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "#server/lib/app-error.ts";
import { syncFolder } from "#server/lib/sync-folder.ts";
import { type EngineAccess, setPassword, reloadSettings } from "./engine-queries.ts";
import type { Launch } from "./privileges.ts";

/**
 * Returns the path of the password file. The engine's only user signs in with a random password
 * (SCRAM), so access to the socket alone gives no access to the database. The file is in the
 * cluster's folder, which only its owner may enter, so backups of the folder contain it.
 */
export function passwordPath(clusterDir: string): string {
  return join(clusterDir, "kinora-password");
}

export function createPassword(): string {
  return randomBytes(32).toString("base64url");
}

/** Writes a file that only this user and the server can read. It survives a power failure. */
export async function writePrivate(path: string, text: string, launch: Launch): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flush: true });
  if (process.getuid?.() === 0) await chown(path, launch.fileOwnerId, launch.fileOwnerId);
}

/**
 * Returns a cluster's password, and creates it if it is missing. Several processes may try at once.
 */
export async function ensurePassword(clusterDir: string, launch: Launch): Promise<string> {
  const path = passwordPath(clusterDir);
  const found = await readFile(path, "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  });
  if (found?.trim()) return found.trim();
  // A power failure or a full disk may have left an empty file.
  if (found !== null) await rm(path, { force: true });
  const own = `${path}.${process.pid}`;
  await writePrivate(own, `${createPassword()}\n`, launch);
  try {
    // Unlike a rename, a link doesn't replace a file that another process created.
    await link(own, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(own, { force: true });
  }
  await syncFolder(clusterDir);
  return (await readFile(path, "utf8")).trim();
}

const hostRules = `# Written by Kinora. The password is in the file kinora-password.
local all all scram-sha-256
local replication all scram-sha-256
`;

/**
 * Makes a running server require the password. Clusters of Kinora 0.2 and older admit every process
 * that can open the socket ("trust"). Changes the rule last, so that the next start detects an
 * interrupted run and repeats it.
 */
export async function requirePassword(
  clusterDir: string,
  access: EngineAccess,
  launch: Launch,
): Promise<void> {
  const path = join(clusterDir, "pg_hba.conf");
  const trusts = /^[^#\n]*\btrust\s*$/m;
  if (!trusts.test(await readFile(path, "utf8"))) return;
  await setPassword(access);
  const own = `${path}.${process.pid}`;
  await writePrivate(own, hostRules, launch);
  await rename(own, path);
  await reloadSettings(access);
}
