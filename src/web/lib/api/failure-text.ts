import { pageLanguage } from "../language/page-language.ts";
import { ApiError } from "./http.ts";

/** Translations of the server's error codes. The server's own messages are in English. */
export type FailureTexts = Record<
  "invalid" | "not_found" | "rate_limited" | "too_large" | "unavailable" | "unknown_code",
  string
>;

/** Returns why the server refused something, in the language of the page. */
export function failureText(
  error: unknown,
  fallback: string,
  names: Readonly<Record<string, keyof FailureTexts>> = {},
): string {
  if (!(error instanceof ApiError)) return fallback;
  const texts = pageLanguage().texts?.["failures"] as Readonly<Record<string, string>> | undefined;
  if (texts === undefined) return error.serverMessage ?? fallback;
  return texts[names[error.code] ?? error.code] ?? fallback;
}
