import { useLoaderData, type LoaderFunction } from "react-router";
import type { SitePageName } from "../../../contract/settings.ts";
import { PageHeading } from "../../components/ui/page-heading.tsx";
import { routeFailure } from "../../lib/page/failure.ts";
import { pageApiContext } from "../../lib/page/page-context.ts";
import type { Head } from "../../lib/page/head.ts";
import type { Site } from "../../lib/page/site.ts";
import { pageHandle, type PageModule } from "../../lib/page/page-route.ts";
import { shareMeta, siteTitle } from "../../lib/page/share-meta.ts";
import { OperatorText } from "./operator-text.tsx";
import { siteMessages } from "../../components/site/messages.ts";

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

/** A page that the operator wrote in Settings. */
export function sitePage(
  name: Exclude<SitePageName, "privacy">,
): Required<Pick<PageModule, "Component" | "loader" | "handle">> {
  const loader: LoaderFunction = ({ context }) =>
    context
      .get(pageApiContext)
      .getSitePage(name)
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

  const handle = pageHandle<string>({ head: ({ site }) => sitePageHead(name, site) });

  return { Component, loader, handle };
}
