import { AppError, hasCode } from "#server/lib/app-error.ts";

/**
 * Returns whether a path of the site itself is missing or can't be written. On a read-only file
 * system, Node.js reports ENOENT for a folder that it can't create, and no content of a file can
 * cause that.
 */
export const isUnwritable = (error: unknown): boolean =>
  hasCode(error, "EROFS", "EACCES", "EPERM") ||
  (hasCode(error, "ENOENT", "ENOTDIR") &&
    error instanceof Error &&
    "syscall" in error &&
    /^(mkdir|mkdtemp|rename|copyfile|link)$/.test(String(error.syscall)));

/**
 * Converts the error of a full or unwritable disk to one that an admin can act on. Returns others
 * unchanged.
 */
export function translateDiskError(error: unknown): unknown {
  if (hasCode(error, "ENOSPC", "EDQUOT")) {
    return new AppError("storage_full", "Storage is full. Free up some space and try again.", {
      cause: error,
    });
  }
  if (isUnwritable(error)) {
    return new AppError(
      "storage_unwritable",
      "The server can't write to its storage. Nothing was saved. Check the disk, then try again.",
      { cause: error },
    );
  }
  return error;
}
