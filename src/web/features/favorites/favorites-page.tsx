import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { LibraryTabs } from "#web/components/site/library-tabs.tsx";
import { pageHandle } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { FavoriteList } from "./favorite-list.tsx";
import { useFavorites } from "./use-favorites.ts";

const messages = inLanguage("favorites");

export const handle = pageHandle({
  query: [],
  allowsTrustedAds: true,
  head: ({ site }) => ({
    title: siteTitle(messages.title, site),
    description: messages.intro,
    meta: [{ name: "robots", content: "noindex" }],
  }),
});

/** Favorites page. It is cached for all visitors, so the browser requests the favorites. */
export function Component() {
  return (
    <>
      <LibraryTabs />
      <PageHeading title={messages.title} intro={messages.intro} />
      <noscript>
        <p className="pb-6">{messages.noScripts}</p>
      </noscript>
      <FavoriteList favorites={useFavorites(true)} />
    </>
  );
}
