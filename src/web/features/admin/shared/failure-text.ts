import { ApiError } from "#web/lib/api/http.ts";

/**
 * "{prefix}: {message or Unknown error}", or "{prefix}: Network error" if the server couldn't be
 * reached.
 */
export function failureText(prefix: string, error: unknown): string {
  if (error instanceof ApiError) return `${prefix}: ${error.serverMessage ?? "Unknown error"}`;
  // Offline, fetch throws this in every browser.
  if (error instanceof TypeError) return `${prefix}: Network error`;
  return `${prefix}: Unknown error`;
}
