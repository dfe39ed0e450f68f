import type { IncomingHttpHeaders } from "node:http";
import {
  languageCodes,
  primaryLanguage,
  withPrefix,
  type Language,
} from "#contract/site/languages.ts";
import { splitLanguage } from "#contract/site/translated-pages.ts";

/**
 * Returns the languages of an Accept-Language header, best first, in lower case: `de-ch`, `de`,
 * `en`.
 */
export function languagesOf(acceptLanguage: string | undefined): string[] {
  if (acceptLanguage === undefined) return [];
  return acceptLanguage
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const quality = parameters.map((p) => /^\s*q=([\d.]+)$/.exec(p)?.[1]).find(Boolean);
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

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
    const found = languageCodes.find((code) => code === primaryLanguage(tag));
    if (found !== undefined) return found;
  }
  return null;
}
