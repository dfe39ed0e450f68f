import type { IncomingHttpHeaders } from "node:http";
import { languageCodes, withPrefix, type Language } from "#contract/site/languages.ts";
import { splitLanguage } from "#contract/site/translated-pages.ts";
import { languagesOf } from "./accept-language.ts";

/**
 * Returns the language in the address of the page that sent a request, or null for the site's
 * language.
 */
export function languageOfSender({ headers }: { headers: IncomingHttpHeaders }): Language | null {
  const page = URL.parse(headers.referer ?? "");
  return page === null ? null : splitLanguage(page.pathname).language;
}

/** Returns a page of the site in the language of the page that sent the request. */
export function pageForSender(request: { headers: IncomingHttpHeaders }, path: string): string {
  const language = languageOfSender(request);
  return language === null ? path : withPrefix(`/${language}`, path);
}

/** Returns the first supported language that a browser requests. Only for uncached responses. */
export function languageOfBrowser({ headers }: { headers: IncomingHttpHeaders }): Language | null {
  for (const tag of languagesOf(headers["accept-language"])) {
    const found = languageCodes.find((code) => code === tag.split("-")[0]);
    if (found !== undefined) return found;
  }
  return null;
}
