import { AppError } from "#server/lib/app-error.ts";
import { hasCode } from "#server/lib/error-code.ts";

/** Converts the error of a full disk to one that an admin can act on. Returns others unchanged. */
export function translateDiskError(error: unknown): unknown {
  if (hasCode(error, "ENOSPC", "EDQUOT")) {
    return new AppError("storage_full", "Storage is full. Free up some space and try again.", {
      cause: error,
    });
  }
  return error;
}
