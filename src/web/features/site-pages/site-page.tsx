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

export function sitePageHead(name: keyof typeof siteMessages, site: Site): Head {
  const title = siteTitle(siteMessages[name], site);
  const canonical = `${site.url}/${name}`;
  const meta = shareMeta(site, {
    title,
    description: siteMessages[name],
    url: canonical,
    type: "website",
  });
  return { title, canonical, meta };
}

/** Creates a page with the operator's text from Settings. */
export function sitePage(name: Exclude<SitePageName, "privacy">): PageModule {
  const loader: LoaderFunction = ({ context }) =>
    context
      .get(pageApiContext)
      .getSitePage(name)
      .then(({ html }) => html)
      .catch((error: unknown) => {
        throw routeFailure(error);
      });

  function Component() {
    const html = useLoaderData<string>();
    return (
      <>
        <PageHeading title={siteMessages[name]} />
        <OperatorText html={html} />
      </>
    );
  }

  const handle = pageHandle<string>({
    query: [],
    hasPopups: false,
    head: ({ site }) => sitePageHead(name, site),
  });

  return { Component, loader, handle };
}

/** Page that the operator wrote beside terms, privacy and contact. */
export const ownPage: PageModule = {
  loader: ({ context, params }) =>
    context
      .get(pageApiContext)
      .getSitePage(params["address"] ?? "")
      .catch((error: unknown) => {
        throw routeFailure(error);
      }),
  Component: function OwnPage() {
    const { title = "", html } = useLoaderData<SitePage>();
    return (
      <>
        <PageHeading title={title} />
        <OperatorText html={html} />
      </>
    );
  },
  handle: pageHandle<SitePage>({
    query: [],
    hasPopups: false,
    head: ({ data, params, site }) => {
      const title = siteTitle(data.title ?? "", site);
      if (data.isUnlisted === true) {
        return { title, meta: [{ name: "robots", content: "noindex" }] };
      }
      const canonical = `${site.url}/pages/${params["address"] ?? ""}`;
      const description = data.title ?? "";
      const meta = shareMeta(site, { title, description, url: canonical, type: "website" });
      return { title, canonical, meta };
    },
  }),
};
