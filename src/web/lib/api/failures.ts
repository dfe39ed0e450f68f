import { ApiError } from "./http.ts";
import type { Messages } from "#texts/messages.ts";
import { pageLanguage } from "../language/page-language.ts";

/** Returns the server's message about a form field or an item of its list, or null. */
export function issueOf(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return (
    error.issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`))
      ?.message ?? null
  );
}

/** Returns why the server refused something, in the language of the page. */
export function failureText(
  error: unknown,
  fallback: string,
  names: Readonly<Record<string, keyof Messages["failures"]>> = {},
): string {
  if (!(error instanceof ApiError)) return fallback;
  // The server's own messages are in English.
  const texts: Readonly<Record<string, string>> | undefined = pageLanguage().texts?.failures;
  if (texts === undefined) return error.serverMessage ?? fallback;
  return texts[names[error.code] ?? error.code] ?? fallback;
}
