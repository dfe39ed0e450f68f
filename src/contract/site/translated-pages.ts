import { languageCodes, type Language } from "./languages.ts";

export const directionOf = (language: Language): "ltr" | "rtl" =>
  language === "ar" ? "rtl" : "ltr";

/** Pages whose texts are translated, by the first segment of their path, and the RSS feed. */
const translatedPages = new Set(
  " home comments feed trending tags categories actors video search favorites library report takedown removals terms privacy contact source embed private feed.rss".split(
    " ",
  ),
);

/** Returns whether the page at a path without language has texts in every language. */
export const isTranslated = (path: string): boolean =>
  translatedPages.has(path.split(/[/?#]/, 2)[1] ?? "");

const prefixPattern = new RegExp(`^/(${languageCodes.join("|")})(?=[/?#]|$)`);

/** Returns the language at the start of an address, even if it has no page. */
export function languageOfAddress(url: string): Language | null {
  const code = prefixPattern.exec(url)?.[1];
  return languageCodes.find((each) => each === code) ?? null;
}

/**
 * Divides the address of a page: `/de/home?x=1` is `/home?x=1` in German. Without a language, or
 * where there is no translated page, `language` is null and the address stays as it is.
 */
export function splitLanguage(url: string): { language: Language | null; url: string } {
  const language = languageOfAddress(url);
  if (language === null) return { language, url };
  const rest = url.slice(language.length + 1);
  const plain = rest.startsWith("/") ? rest : `/${rest}`;
  // Two slashes would name another host.
  if (!isTranslated(plain) || plain.startsWith("//")) return { language: null, url };
  return { language, url: plain };
}
