import { useLoaderData, type LoaderFunction } from "react-router";
import type { SitePageName } from "#contract/site/settings.ts";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { routeFailure } from "#web/lib/page/page-data.ts";
import { pageApiContext } from "#web/lib/page/page-context.ts";
import type { Head } from "#web/lib/page/head.ts";
import type { Site } from "#web/lib/page/site.ts";
import { pageHandle, type PageModule } from "#web/lib/page/page-route.ts";
import { shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
import { siteMessages } from "#web/components/site/messages.ts";
import "./site-page.css";

/**
 * Shows a text by the operator. The server renders it from Markdown. Raw HTML becomes text, and
 * only safe URLs remain.
 */
export function OperatorText({ html }: { html: string }) {
  return <div dir="auto" className="site-page" dangerouslySetInnerHTML={{ __html: html }} />;
}

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
