import { access, constants, lstat, mkdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { hasCode } from "#server/lib/app-error.ts";

/** Folders in the import folder for files that were imported and for those that failed. */
export const outcomeFolders = ["done", "failed"] as const;
type OutcomeFolder = (typeof outcomeFolders)[number];

/** Longest name of a file in common file systems, in bytes. */
const maxNameBytes = 255;

/** Size and time by which a replaced file is recognized. */
interface FileIdentity {
  sizeBytes: number;
  modifiedAt: Date;
}

/** Returns whether files can be moved out of the folder. Creates the folders for them. */
export async function canMoveFiles(root: string): Promise<boolean> {
  try {
    await access(root, constants.W_OK);
    for (const name of outcomeFolders) {
      await mkdir(join(root, name), { recursive: true });
      await access(join(root, name), constants.W_OK);
    }
    return true;
  } catch {
    return false;
  }
}

const isThere = async (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Returns whether a file with this path was moved to one of the folders. */
export const wasMoved = (root: string, folder: OutcomeFolder, path: string): Promise<boolean> =>
  isThere(join(root, folder, path));

/** "a.mp4" and 2 become "a (2).mp4". A sidecar "a.en.vtt" of "a" becomes "a (2).en.vtt". */
function numbered(name: string, base: string, number: number): string {
  if (number === 1) return name;
  const shared = name.startsWith(base) ? base.length : name.length - extname(name).length;
  return `${name.slice(0, shared)} (${number})${name.slice(shared)}`;
}

/** Finds a number with which no file of the target folder has one of these names. */
async function findNumber(folder: string, names: readonly string[], base: string): Promise<number> {
  for (let number = 1; ; number += 1) {
    const taken = await Promise.all(
      names.map((name) => isThere(join(folder, numbered(name, base, number)))),
    );
    if (!taken.includes(true)) return number;
  }
}

const isSame = async (path: string, expected: FileIdentity | null): Promise<boolean> => {
  if (expected === null) return true;
  const info = await lstat(path);
  return info.size === expected.sizeBytes && info.mtime.getTime() === expected.modifiedAt.getTime();
};

/** Writes why a file failed beside it. @param target where the file is now. */
export async function writeReason(target: string, path: string, reason: string): Promise<void> {
  const text = `${path} wasn't imported.\n\nReason: ${reason}\n\nCorrect it, then move it back to the import folder.\n`;
  const short = Buffer.byteLength(`${basename(target)}.txt`) > maxNameBytes;
  const name = short ? basename(target).slice(0, maxNameBytes / 5) : basename(target);
  await writeFile(join(dirname(target), `${name}.txt`), text);
}

/**
 * Moves a file with its sidecars to one of the folders, below the same sub-folders.
 * @param expected content of the file; null for a link. A file that was replaced in the meantime
 * stays.
 * @param reason why it failed; null for imported files.
 * @returns false if it stays where it is.
 */
export async function moveFiles(
  root: string,
  folder: OutcomeFolder,
  {
    file,
    sidecars,
    expected,
    reason,
  }: { file: string; sidecars: string[]; expected: FileIdentity | null; reason: string | null },
): Promise<boolean> {
  const path = relative(root, file);
  const target = join(root, folder, dirname(path));
  const base = basename(file, extname(file));
  try {
    if (!(await isSame(file, expected))) return false;
    await mkdir(target, { recursive: true });
    const names = [file, ...sidecars].map((each) => basename(each));
    const number = await findNumber(target, names, base);
    const place = (full: string) => join(target, numbered(basename(full), base, number));
    await rename(file, place(file));
    if (!(await isSame(place(file), expected)) && !(await isThere(file))) {
      // Another file took this name at that moment. It is a new one.
      await rename(place(file), file);
      return false;
    }
    // After the move, so that a second worker that comes too late leaves no text behind.
    if (reason !== null) await writeReason(place(file), path, reason);
    for (const sidecar of sidecars) {
      await rename(sidecar, place(sidecar)).catch((error: unknown) => {
        if (!hasCode(error, "ENOENT")) throw error;
      });
    }
    return true;
  } catch (error) {
    const isKnown = hasCode(
      error,
      ...["ENOENT", "ENOTDIR", "EEXIST", "EROFS", "EACCES", "EPERM", "EXDEV", "ENOSPC", "EDQUOT"],
      ...["ENAMETOOLONG", "EIO", "ESTALE", "EBUSY", "ETXTBSY", "ENOTCONN", "EHOSTDOWN"],
    );
    if (isKnown) return false;
    throw error;
  }
}
