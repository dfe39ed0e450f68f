import { AppError } from "#server/lib/app-error.ts";
import { hasErrno } from "#server/storage/disk-error.ts";

/**
 * What a failed attempt says: `file` that the video can never be processed, `outside` that the server
 * could not just now, `unclear` nothing certain.
 */
export type Verdict = "file" | "outside" | "unclear";

const fileCodes = new Set<string>(["unsupported_media", "unusable_video"]);
/** A full disk, an interruption, a source that the storage does not find. */
const outsideCodes = new Set<string>(["storage_full", "unavailable", "not_found"]);
const outsideErrnos = [
  ...["ENOSPC", "EDQUOT", "EIO", "EROFS", "ESTALE", "ENOTCONN", "ENODEV", "ENXIO", "ETIMEDOUT"],
  ...["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EACCES", "EPERM", "EBUSY"],
];
/** PostgreSQL, class 53: no space, no memory, too many connections. */
const isOutOfResources = (error: Error): boolean =>
  "code" in error && typeof error.code === "string" && /^53\w{3}$/.test(error.code);
/** A media tool that is missing, as during an upgrade. */
const isMissingProgram = (error: Error): boolean =>
  "syscall" in error && String(error.syscall).startsWith("spawn");

export function judgeFailure(error: unknown): Verdict {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof AppError && fileCodes.has(at.code)) return "file";
    if (at instanceof AppError && outsideCodes.has(at.code)) return "outside";
    if (hasErrno(at, ...outsideErrnos) || isOutOfResources(at) || isMissingProgram(at)) {
      return "outside";
    }
  }
  return "unclear";
}

/** What an admin reads while a video waits for something outside. */
export function explainWait(error: unknown): string {
  const isFull =
    hasErrno(error, "ENOSPC", "EDQUOT") ||
    (error instanceof AppError && error.code === "storage_full");
  const what = isFull
    ? "The storage is full."
    : error instanceof AppError && error.code === "not_found"
      ? "The source file cannot be found in the storage."
      : "Processing was interrupted.";
  return `${what} The next attempt follows by itself.`;
}
