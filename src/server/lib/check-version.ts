import { AppError } from "./app-error.ts";

/**
 * Prevents an edit from silently overwriting another one. Call it while the row is locked.
 * @param seen version that the user edited. If undefined, any version is overwritten.
 * @throws AppError edit_conflict.
 */
export function checkVersion(seen: number | undefined, stored: number, what: string): void {
  if (seen === undefined || seen === stored) return;
  throw new AppError(
    "edit_conflict",
    `Someone else changed ${what} in the meantime. Reload and make your change again.`,
  );
}
