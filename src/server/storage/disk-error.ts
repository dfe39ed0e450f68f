import { AppError } from "#server/lib/app-error.ts";

function getErrno(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export function hasErrno(error: unknown, ...codes: string[]): boolean {
  const code = getErrno(error);
  return code !== undefined && codes.includes(code);
}

/** Converts a full disk to a message that an admin can act on. Returns other errors unchanged. */
export function translateDiskError(error: unknown): unknown {
  if (hasErrno(error, "ENOSPC", "EDQUOT")) {
    return new AppError("storage_full", "Storage is full. Free up some space and try again.", {
      cause: error,
    });
  }
  return error;
}
