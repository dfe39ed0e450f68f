import { languageCodes, type Language } from "./languages.ts";

export const directionOf = (language: Language): "ltr" | "rtl" =>
  language === "ar" ? "rtl" : "ltr";

/** First path segments of the pages that have translated texts, and of the RSS feed. */
const translatedPages = new Set(
  " home comments feed trending tags categories actors video search favorites library report takedown removals terms privacy contact pages source embed private pass feed.rss".split(
    " ",
  ),
);

/** Returns whether the page at this path is translated. The path has no language prefix. */
export const isTranslated = (path: string): boolean =>
  translatedPages.has(path.split(/[/?#]/, 2)[1] ?? "");

const prefixPattern = new RegExp(`^/(${languageCodes.join("|")})(?=[/?#]|$)`);

/** Returns the language at the start of an address, even if it has no page. */
export function languageOfAddress(url: string): Language | null {
  const code = prefixPattern.exec(url)?.[1];
  return languageCodes.find((each) => each === code) ?? null;
}

/**
 * Splits a page's address into its language and the rest: `/de/home?x=1` becomes `/home?x=1` in
 * German. If the address has no language, or the page isn't translated, `language` is null and the
 * address stays unchanged.
 */
export function splitLanguage(url: string): { language: Language | null; url: string } {
  const language = languageOfAddress(url);
  if (language === null) return { language, url };
  const rest = url.slice(language.length + 1);
  const plain = rest.startsWith("/") ? rest : `/${rest}`;
  // Two slashes would lead to another host.
  if (!isTranslated(plain) || plain.startsWith("//")) return { language: null, url };
  return { language, url: plain };
}
