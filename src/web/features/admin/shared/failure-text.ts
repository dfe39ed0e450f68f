import { ApiError } from "../../../lib/http.ts";

/**
 * "{prefix}: {message or Unknown error}", and "{prefix}: Network error" where the server could not
 * be reached: the form of the specification's error catalogue.
 */
export function failureText(prefix: string, error: unknown): string {
  if (error instanceof ApiError) return `${prefix}: ${error.serverMessage ?? "Unknown error"}`;
  // What fetch throws off-line, in every browser.
  if (error instanceof TypeError) return `${prefix}: Network error`;
  return `${prefix}: Unknown error`;
}

/** What is wrong with one field of a form, in the server's words, or null. */
export function issueOf(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.issues.find((issue) => issue.path === path)?.message ?? null;
}
