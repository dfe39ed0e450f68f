import { ApiError } from "./http.ts";

/** Returns the server's message about a form field or an item of its list, or null. */
export function issueOf(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return (
    error.issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`))
      ?.message ?? null
  );
}
