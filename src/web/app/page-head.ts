import { isRouteErrorResponse } from "react-router";
import { languageCodes, prefixOf, withPrefix } from "#contract/site/languages.ts";
import { isTranslated, splitLanguage } from "#contract/site/translated-pages.ts";
import type { FirstVideo } from "#web/lib/page/first-video.ts";
import type { Head } from "#web/lib/page/head.ts";
import { inLanguage, pageLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { isPageHandle } from "#web/lib/page/page-route.ts";
import { rootRouteId, siteOf, type Site } from "#web/lib/page/site.ts";

const errorMessages = inLanguage("errors");

interface PageState {
  matches: readonly {
    route: { id: string; handle?: unknown };
    params: Readonly<Record<string, string | undefined>>;
  }[];
  loaderData: Readonly<Record<string, unknown>>;
  errors: Readonly<Record<string, unknown>> | null;
}

function isSite(value: unknown): value is Site {
  return typeof value === "object" && value !== null && "settings" in value;
}

/** Returns the site from the root loader, or defaults if the loader failed. */
function siteOfPage(state: PageState, url: URL): Site {
  const rootData = state.loaderData[rootRouteId];
  return isSite(rootData) ? rootData : siteOf(null, url.origin);
}

/** Returns the page's first video. Null on a failed page. */
export function firstVideoOfPage(state: PageState, url: URL): FirstVideo | null {
  const leaf = state.matches.at(-1);
  if (state.errors !== null || leaf === undefined || !isPageHandle(leaf.route.handle)) return null;
  const data = state.loaderData[leaf.route.id] ?? null;
  return leaf.route.handle.firstVideo?.({ data, site: siteOfPage(state, url) }) ?? null;
}

function missingPageTitle({ matches }: PageState): string {
  const handle = matches.at(-1)?.route.handle;
  return (
    (isPageHandle(handle) ? handle.unknownTitle?.() : undefined) ?? errorMessages.notFoundTitle
  );
}

/** Returns the head of the page, or of the failure that is shown instead. */
export async function headOfPage(state: PageState, url: URL): Promise<Head> {
  const site = siteOfPage(state, url);
  const error = state.errors === null ? undefined : Object.values(state.errors)[0];
  if (error !== undefined) {
    const isUnknown = isRouteErrorResponse(error) && error.status === 404;
    const title = isUnknown ? missingPageTitle(state) : errorMessages.failedTitle;
    return { title: `${title} · ${site.name}`, meta: [{ name: "robots", content: "noindex" }] };
  }
  const leaf = state.matches.at(-1);
  if (leaf === undefined || !isPageHandle(leaf.route.handle)) return { title: site.name };
  const data = state.loaderData[leaf.route.id] ?? null;
  // Concatenated instead of resolved, because `//x` would be read as a host.
  const plain = new URL(url.origin + splitLanguage(url.pathname + url.search).url);
  const head = await leaf.route.handle.head?.({ data, params: leaf.params, url: plain, site });
  return head === undefined ? { title: site.name } : inAllLanguages(head, site);
}

/**
 * Replaces URLs of translated pages with those in the page's language. Adds all languages, and the
 * site's RSS feed.
 */
function inAllLanguages(head: Head, site: Site): Head {
  const own = `${site.url}/`;
  const isPage = (text: string) =>
    text.startsWith(own) && !/\s/.test(text) && isTranslated(text.slice(site.url.length));
  const withLanguage = (text: string, prefix = pageLanguage().prefix) =>
    isPage(text) ? site.url + withPrefix(prefix, text.slice(site.url.length)) : text;
  const { canonical, meta, links = [], jsonLd } = head;
  const feed = {
    ...{ rel: "alternate", type: "application/rss+xml" },
    ...{ title: site.name, href: pagePath("/feed.rss") },
  };
  const alternates =
    canonical == null || !isPage(canonical)
      ? []
      : [
          ...languageCodes.map((code) => ({
            rel: "alternate",
            hreflang: code,
            href: withLanguage(canonical, prefixOf(code, site.settings.language)),
          })),
          { rel: "alternate", hreflang: "x-default", href: canonical },
        ];
  return {
    ...head,
    canonical: canonical == null ? canonical : withLanguage(canonical),
    meta: meta?.map(({ name, content }) => ({ name, content: withLanguage(content) })),
    links: [...links, ...(canonical == null ? [] : [feed]), ...alternates],
    jsonLd: jsonLd?.map(
      (object) =>
        JSON.parse(JSON.stringify(object), (_key, value: unknown) =>
          typeof value === "string" ? withLanguage(value) : value,
        ) as object,
    ),
  };
}
