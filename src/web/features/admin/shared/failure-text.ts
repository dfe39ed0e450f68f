import { ApiError } from "#web/lib/api/http.ts";
import { UnreadableFileError } from "./readable-file.ts";

/** Returns the server's message about a value that is already taken, or null. */
export const conflictText = (error: unknown): string | null =>
  error instanceof ApiError && error.code === "conflict" ? error.serverMessage : null;

/**
 * Returns the message that the server sent, or "Unknown error" if it sent none. If the server
 * couldn't be reached, returns "Network error".
 */
export function failureReason(error: unknown): string {
  if (error instanceof ApiError) return error.serverMessage ?? "Unknown error";
  if (error instanceof UnreadableFileError) return error.message;
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  // All browsers throw a TypeError from fetch when they are offline.
  return error instanceof TypeError || isLate ? "Network error" : "Unknown error";
}

/** Returns "{prefix}: {reason}". */
export const failureWithReason = (prefix: string, error: unknown): string =>
  `${prefix}: ${failureReason(error)}`;
