import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, realpath, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError, errorCode } from "./engine-error.ts";
import { type Launch, changeOwner } from "./privileges.ts";

/** The kernel's limit for the path of a Unix socket is 108 bytes with the closing zero. */
const maxSocketPathBytes = 107;
export const socketName = ".s.PGSQL.5432";

/** The folder for the socket of a cluster: a short path, the same in every process. */
export function socketDirFor(clusterDir: string, tmp: string = tmpdir()): string {
  const name = `kinora-${createHash("sha256").update(clusterDir).digest("hex").slice(0, 16)}`;
  const dir = join(tmp, name);
  const isShort = Buffer.byteLength(join(dir, socketName)) <= maxSocketPathBytes;
  return isShort ? dir : join("/tmp", name);
}

/**
 * Creates the folder with access for its owner only, since access to the socket is access to the
 * database. A folder of another user at that path is rejected.
 */
export async function makeSocketDir(clusterDir: string, launch: Launch): Promise<string> {
  const dir = socketDirFor(await realpath(clusterDir));
  await mkdir(dir, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
  const info = await lstat(dir);
  const ownId = process.getuid?.() ?? 0;
  if (!info.isDirectory() || (info.uid !== ownId && info.uid !== launch.fileOwnerId)) {
    throw new EngineError(
      `The folder ${dir} belongs to another user; remove it, or set TMPDIR to another folder.`,
    );
  }
  if ((info.mode & 0o777) !== 0o700) await chmod(dir, 0o700);
  await changeOwner(launch, dir);
  return dir;
}

/** Removes the folder when it is empty. */
export async function removeSocketDir(dir: string): Promise<void> {
  await rmdir(dir).catch(() => undefined);
}
