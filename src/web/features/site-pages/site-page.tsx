import { useLoaderData, type LoaderFunction } from "react-router";
import type { ReadablePageName } from "../../../contract/settings.ts";
import { PageHeading } from "../../components/ui/page-heading.tsx";
import { routeFailure } from "../../lib/page/failure.ts";
import { pageApiContext } from "../../lib/page/page-context.ts";
import { pageHandle, type PageModule } from "../../lib/page/page-route.ts";
import { shareMeta, siteTitle } from "../../lib/page/share-meta.ts";
import { OperatorText } from "./operator-text.tsx";
import { siteMessages } from "../../components/site/messages.ts";

/** A page that the operator wrote in Settings, or the offer of the source code. */
export function sitePage(
  name: Exclude<ReadablePageName, "privacy">,
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

  const handle = pageHandle<string>({
    head: ({ site }) => {
      const title = siteMessages[name];
      const full = siteTitle(title, site);
      const canonical = `${site.url}/${name}`;
      const meta = shareMeta(site, {
        title: full,
        description: title,
        url: canonical,
        type: "website",
      });
      return { title: full, canonical, meta };
    },
  });

  return { Component, loader, handle };
}
