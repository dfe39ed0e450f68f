import { ApiError } from "#web/lib/api/http.ts";

/** Returns the server's message about a value that is already taken, or null. */
export const conflictText = (error: unknown): string | null =>
  error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;

/**
 * Returns "{prefix}: {message}", with "Network error" if the server couldn't be reached and
 * "Unknown error" if there is no message.
 */
export function failureText(prefix: string, error: unknown): string {
  if (error instanceof ApiError) return `${prefix}: ${error.serverMessage ?? "Unknown error"}`;
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  // All browsers throw a TypeError from fetch when they are offline.
  if (error instanceof TypeError || isLate) return `${prefix}: Network error`;
  return `${prefix}: Unknown error`;
}
