import { data, useLoaderData, useRevalidator, type LoaderFunction } from "react-router";
import type { LabelKind } from "#contract/lists/labels.ts";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { EmptyState, ErrorState } from "#web/components/ui/states.tsx";
import { pageHandle, pageApiContext, statusOf, type PageModule } from "#web/lib/page/page-route.ts";
import { shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { LabelList, toListed, type ListedItem } from "./label-list.tsx";
import { hasListings } from "./has-listings.ts";

const browseMessages = inLanguage("browse");
const browseTexts = inLanguage("browseParts");

/** Null if loading failed. */
interface IndexData {
  items: ListedItem[] | "unwanted" | null;
}

/** Creates the page at /categories, /tags or /actors. */
export function indexPage(kind: LabelKind): PageModule {
  const messages = browseMessages[kind];

  const loader: LoaderFunction = async ({ context }) => {
    const api = context.get(pageApiContext);
    try {
      if (!(await hasListings(api))) return data<IndexData>({ items: "unwanted" });
      const items = (await api.listLabel(kind)).filter((item) => item.videoCount > 0);
      return data<IndexData>({ items: items.map(toListed) });
    } catch (error) {
      console.error(`Listing ${kind} failed`, error);
      return data<IndexData>({ items: null }, { status: statusOf(error) ?? 503 });
    }
  };

  function Component() {
    const { items } = useLoaderData<IndexData>();
    const revalidator = useRevalidator();
    return (
      <>
        <PageHeading title={messages.title} intro={messages.intro} />
        {items === "unwanted" ? null : items === null ? (
          <ErrorState
            message={browseTexts.failed}
            retryLabel={browseTexts.tryAgain}
            onRetry={() => void revalidator.revalidate()}
            isBusy={revalidator.state === "loading"}
          />
        ) : items.length === 0 ? (
          <EmptyState title={messages.empty} />
        ) : (
          <LabelList kind={kind} items={items} />
        )}
      </>
    );
  }

  const handle = pageHandle<IndexData>({
    query: [],
    allowsTrustedAds: true,
    head: ({ site }) => {
      const title = siteTitle(messages.title, site);
      const canonical = `${site.url}/${kind}`;
      return {
        title,
        description: messages.intro,
        canonical,
        meta: shareMeta(site, {
          title,
          description: messages.intro,
          url: canonical,
          type: "website",
        }),
      };
    },
  });

  return { Component, loader, handle };
}
