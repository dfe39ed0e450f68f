import { AppError } from "./app-error.ts";

/**
 * Keeps an edit from overwriting another one unseen. Call it with the row locked.
 * @param seen the version that the user edited; undefined overwrites whatever is stored.
 * @throws AppError edit_conflict.
 */
export function checkVersion(seen: number | undefined, stored: number, what: string): void {
  if (seen === undefined || seen === stored) return;
  throw new AppError(
    "edit_conflict",
    `Someone else changed ${what} in the meantime. Reload and make your change again.`,
  );
}
