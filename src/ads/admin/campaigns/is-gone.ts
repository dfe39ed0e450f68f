import { ApiError } from "#web/lib/api/http.ts";

/** Returns whether a secret link has stopped working. Other failures may be temporary. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 400 || error.status === 404);
