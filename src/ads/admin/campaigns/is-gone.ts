import { ApiError } from "#web/lib/api/http.ts";

/** Whether a secret address is not valid any more. Other failures may pass. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 400 || error.status === 404);
