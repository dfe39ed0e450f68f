import { useLoaderData, type LoaderFunction } from "react-router";
import type { SitePage, SitePageName } from "#contract/site/settings.ts";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import type { Head } from "#web/lib/page/head.ts";
import type { Site } from "#web/lib/page/site.ts";
import {
  pageHandle,
  pageApiContext,
  routeFailure,
  type PageModule,
} from "#web/lib/page/page-route.ts";
import { shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
import { OperatorText } from "#web/components/site/operator-text.tsx";
import { inLanguage } from "#web/lib/language/page-language.ts";

const siteMessages = inLanguage("site");

/** @param path path of the page, without the first slash. */
export function sitePageHead(path: string, name: string, site: Site): Head {
  const title = siteTitle(name, site);
  const canonical = `${site.url}/${path}`;
  const meta = shareMeta(site, {
    title,
    description: name,
    url: canonical,
    type: "website",
  });
  return { title, canonical, meta };
}

/** Creates a page with the operator's text from Settings, or the one for pages of their own. */
export function sitePage(name: Exclude<SitePageName, "privacy"> | "pages/:address"): PageModule {
  // Read for each page, because the language can differ.
  const titleOf = ({ title = "" }: SitePage) =>
    name === "pages/:address" ? title : siteMessages[name];

  const loader: LoaderFunction = ({ context, params }) =>
    context
      .get(pageApiContext)
      .getSitePage(params["address"] ?? name)
      .catch((error: unknown) => {
        throw routeFailure(error);
      });

  function Component() {
    const data = useLoaderData<SitePage>();
    return (
      <>
        <PageHeading title={titleOf(data)} />
        <OperatorText html={data.html} />
      </>
    );
  }

  const handle = pageHandle<SitePage>({
    query: [],
    hasPopups: false,
    head: ({ data, params, site }) => {
      const path = name.replace(":address", params["address"] ?? "");
      return sitePageHead(path, titleOf(data), site);
    },
  });

  return { Component, loader, handle };
}
