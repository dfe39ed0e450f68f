import { chmod, mkdir, mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, OperatorError } from "./app-error.ts";

/**
 * Creates the data folder if it doesn't exist.
 * @param options.isProxied true if a reverse proxy that runs as another user reads files in it.
 * @throws OperatorError about DATA_DIR if files can't be created in it.
 */
export async function ensureDataFolder(path: string, { isProxied = false } = {}): Promise<void> {
  try {
    await createFolders(path);
    // Fails if another user owns the folder. That user then has to change the mode.
    if (isProxied) await chmod(path, (await stat(path)).mode | 0o011).catch(() => undefined);
    await rmdir(await mkdtemp(join(path, ".trial-")));
  } catch (error) {
    const code = codeOf(error) ?? "unknown reason";
    const remedy =
      code === "EROFS"
        ? `It is read-only. Under systemd, add ReadWritePaths=${path} to [Service] of the units.`
        : "Use a folder that this user can write to.";
    throw new OperatorError(`DATA_DIR: "${path}" can't be used (${code}). ${remedy}`, {
      cause: error,
    });
  }
}

/**
 * Creates folders one by one, because Node's recursive `mkdir` never returns if the system refuses
 * new folders with ENOENT, as in `/proc`.
 */
async function createFolders(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await createFolders(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created it.
    if (!(await isFolder(path))) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
