import type { FeedVideo } from "#contract/lists/feed.ts";
import type { Head } from "#web/lib/page/head.ts";
import { headOfVideo } from "#web/lib/page/head-of-video.ts";
import type { HeadInput } from "#web/lib/page/page-route.ts";
import { shareMeta } from "#web/lib/page/share-meta.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("feed");

/** Loader data of the feed. */
export interface FeedPageData {
  videos: FeedVideo[];
  nextCursor: string | null;
  hasFailed: boolean;
  /** Clip in the URL. */
  clip: FeedVideo | null;
}

/** Returns the head of the feed, or of the clip in its URL. */
export function feedHead({ data, url, site }: HeadInput<FeedPageData>): Head {
  if (data.clip !== null) return headOfVideo(data.clip, site);
  const description = site.settings.siteDescription ?? messages.description(site.name);
  const canonical = site.url + (url.pathname === "/" ? "/" : "/feed");
  return {
    title: site.name,
    description,
    canonical,
    meta: shareMeta(site, { title: site.name, description, url: canonical, type: "website" }),
  };
}
