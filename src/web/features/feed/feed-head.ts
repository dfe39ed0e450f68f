import type { FeedVideo } from "#contract/lists/feed.ts";
import { pictureSize, posterBox } from "#contract/videos/picture-sizes.ts";
import type { Head } from "#web/lib/page/head.ts";
import type { HeadInput } from "#web/lib/page/page-route.ts";
import { absoluteUrl, shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
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
export function feedHead({
  data: { clip },
  url: { pathname },
  site,
}: HeadInput<FeedPageData>): Head {
  const description =
    clip?.description ?? site.settings.siteDescription ?? messages.description(site.name);
  const path = clip === null ? (pathname === "/" ? "/" : "/feed") : `/video/${clip.slug}`;
  const url = site.url + path;
  const picture = clip?.posterUrl ?? clip?.thumbnailUrl ?? null;
  return {
    title: clip === null ? site.name : siteTitle(clip.title, site),
    description,
    canonical: url,
    meta: shareMeta(site, {
      title: clip?.title ?? site.name,
      description,
      url,
      type: clip === null ? "website" : "video.other",
      image:
        clip === null || picture === null
          ? null
          : { url: absoluteUrl(site, picture), ...pictureSize(clip.posterUrl, clip, posterBox) },
    }),
  };
}
