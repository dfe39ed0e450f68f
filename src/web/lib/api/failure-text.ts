import { pageLanguage } from "../language/page-language.ts";
import { ApiError } from "./http.ts";

/** Translations of the server's error codes. The server's own messages are in English. */
export type FailureTexts = Record<
  "invalid" | "not_found" | "rate_limited" | "too_large" | "unavailable" | "unknown_code",
  string
>;

/**
 * Why the server refused something, in the language of the page.
 * @param fallback where the server gives no reason, or cannot be reached.
 * @param names which text a code has here, where its own would say too little.
 */
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
