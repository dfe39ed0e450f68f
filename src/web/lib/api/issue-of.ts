import { ApiError } from "./http.ts";

/** The server's message about one field of a form, or null. */
export function issueOf(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.issues.find((issue) => issue.path === path)?.message ?? null;
}
