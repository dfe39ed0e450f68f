import { pageHandle } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";

/** Returns the head of a page whose URL may contain a one-time token. */
export const oneTimeLinkHandle = (title: string) =>
  pageHandle({
    // Only the browser reads the token.
    query: [],
    hasPopups: false,
    head: ({ site }) => ({
      title: siteTitle(title, site),
      meta: [
        { name: "robots", content: "noindex" },
        // The referrer would reveal the token to other sites.
        { name: "referrer", content: "no-referrer" },
      ],
    }),
  });
