import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { hasCode } from "#server/lib/app-error.ts";
import { EngineError } from "./engine-error.ts";
import { type Launch, changeOwner } from "./privileges.ts";

/** Maximum length of a Unix socket's path, without the terminating zero. */
const maxSocketPathBytes = process.platform === "darwin" ? 103 : 107;
export const socketName = ".s.PGSQL.5432";
const sharedName = "postgres-run";

/**
 * Returns the folder for a cluster's socket, which is the same in every process. It is beside the
 * cluster, because services may have separate temporary folders. If that path is too long for a
 * socket, uses a folder in `tmp`.
 */
export function socketDirFor(clusterDir: string, tmp: string = tmpdir()): string {
  const name = `kinora-${createHash("sha256").update(clusterDir).digest("hex").slice(0, 16)}`;
  const folders = [join(dirname(clusterDir), sharedName), join(tmp, name)];
  const fits = (dir: string) => Buffer.byteLength(join(dir, socketName)) <= maxSocketPathBytes;
  return folders.find(fits) ?? join("/tmp", name);
}

/**
 * Creates the folder so that only its owner has access, because whoever can open the socket can
 * reach the database. Rejects a folder of another user at that path.
 */
export async function makeSocketDir(dir: string, launch: Launch): Promise<void> {
  await mkdir(dir, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasCode(error, "EEXIST")) throw error;
  });
  const info = await lstat(dir);
  const ownId = process.getuid?.() ?? 0;
  // Root gives the folder in DATA_DIR to the server's user, like the cluster.
  const owners = [ownId, launch.fileOwnerId];
  const isOwn = owners.includes(info.uid) || (ownId === 0 && basename(dir) === sharedName);
  if (!info.isDirectory() || !isOwn) {
    throw new EngineError(
      `The folder ${dir} belongs to another user. Remove it, or start as that user.`,
    );
  }
  if ((info.mode & 0o777) !== 0o700) await chmod(dir, 0o700);
  await changeOwner(launch, dir);
}

/**
 * Removes the folder if it is empty and in the temporary folder. A folder beside the cluster stays.
 */
export async function removeSocketDir(dir: string): Promise<void> {
  if (basename(dir) !== sharedName) await rmdir(dir).catch(() => undefined);
}
