import type { Head } from "#web/lib/page/head.ts";
import type { HeadInput } from "#web/lib/page/page-route.ts";
import { shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { homeHref, type Filters } from "./filters.ts";
import type { PinnedRow } from "./components/pinned-rows.tsx";
import type { ListResult } from "#web/lib/lists/card-list.ts";

const messages = inLanguage("home");

/** Loader data of the home page. */
export interface HomeData {
  filters: Filters;
  cursor: string | null;
  result: ListResult;
  /** Rows of pinned labels. Empty without any, and for a search or filter. */
  rows: PinnedRow[];
}

/** Returns the head of the home page. Search engines only index the list without filters. */
export function homeHead({ data, site }: HeadInput<HomeData>): Head {
  const { filters } = data;
  const isPlain = homeHref(filters) === "/home";
  const what =
    filters.search === ""
      ? filters.category === ""
        ? messages.title
        : filters.category
      : messages.resultsFor(filters.search);
  const title = siteTitle(what, site);
  const description = site.settings.siteDescription ?? messages.defaultDescription(site.name);
  const canonical = `${site.url}/home`;
  return {
    title,
    description,
    canonical,
    meta: [
      ...shareMeta(site, { title, description, url: canonical, type: "website" }),
      ...(isPlain ? [] : [{ name: "robots", content: "noindex, follow" }]),
    ],
    jsonLd: [
      {
        "@context": "https://schema.org",
        "@type": "WebSite",
        name: site.name,
        url: `${site.url}/`,
        potentialAction: {
          "@type": "SearchAction",
          target: `${site.url}/search?search={search_term_string}`,
          "query-input": "required name=search_term_string",
        },
      },
    ],
  };
}
