import type { IncomingHttpHeaders } from "node:http";
import { languageCodes, withPrefix, type Language } from "#contract/site/languages.ts";
import { splitLanguage } from "#contract/site/translated-pages.ts";

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
  const wanted = (headers["accept-language"] ?? "")
    .slice(0, 200)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const q = parameters.find((each) => each.trim().startsWith("q="));
      return { code: tag.split("-")[0], weight: q === undefined ? 1 : Number(q.trim().slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { code } of wanted) {
    const found = languageCodes.find((each) => each === code);
    if (found !== undefined) return found;
  }
  return null;
}
