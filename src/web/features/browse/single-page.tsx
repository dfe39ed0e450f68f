import { data, useLoaderData, useLocation, type LoaderFunction } from "react-router";
import type { LabelKind } from "#contract/lists/labels.ts";
import { shorten } from "#contract/text.ts";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { VideoList } from "#web/components/video/video-list.tsx";
import { loadCardList, type ListQuery, type ListResult } from "#web/lib/lists/card-list.ts";
import {
  pageHandle,
  pageApiContext,
  routeFailure,
  type PageModule,
} from "#web/lib/page/page-route.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { absoluteUrl, shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
import { hasListings } from "./has-listings.ts";
import { BellIcon } from "lucide-react";
import { Button } from "#web/components/ui/button.tsx";
import { isSameFollow, type Follow } from "#web/lib/visitor-library/library-data.ts";
import { library, useLibrary } from "#web/lib/visitor-library/library.ts";
import { PlayAll } from "#web/components/video/play-all.tsx";
import { counted, formatList, formatUnit } from "#web/lib/format/format.ts";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";

const browseMessages = inLanguage("browse");
const texts = inLanguage("browseParts");
const formatTexts = inLanguage("format");
const seriesTexts = inLanguage("series");

/** Shows the round picture of an actor or the cover of a category. */
function LabelPicture({ src, isRound }: { src: string | null; isRound: boolean }) {
  if (src === null) return null;
  return (
    <span
      data-cover=""
      className={
        isRound
          ? "relative aspect-square w-20 max-w-full overflow-hidden rounded-full bg-ink-3 sm:w-24 md:w-28"
          : "relative aspect-video w-32 max-w-full overflow-hidden rounded-lg bg-ink-3 sm:w-40 md:w-52"
      }
    >
      <Thumbnail src={src} isEager />
    </span>
  );
}

/**
 * Button that follows a category, tag or actor. Its new videos then appear on the home page in this
 * browser.
 */
function FollowButton({ follow }: { follow: Follow }) {
  const isFollowed = useLibrary().follows.some((other) => isSameFollow(other, follow));
  return (
    <Button
      aria-pressed={isFollowed}
      onClick={() => {
        if (library.toggleFollow(follow)) return;
        import("#web/components/save/report-lost.ts")
          .then(({ reportLost }) => reportLost())
          .catch(console.warn);
      }}
    >
      <BellIcon className="size-5" fill={isFollowed ? "currentColor" : "none"} />
      {isFollowed ? texts.following : texts.follow}
    </Button>
  );
}

interface SingleData {
  name: string;
  slug: string;
  description: string | null;
  picture: string | null;
  /** Null if the label isn't a series. */
  series: { count: number; runningTimeS: number } | null;
  /** Null if the operator turned off lists on browse pages. */
  result: ListResult | null;
}

/** Formats "2 hours, 5 minutes". */
function runningTime(durationS: number): string {
  const minutes = Math.max(1, Math.round(durationS / 60));
  const hours = Math.floor(minutes / 60);
  return formatList([
    ...(hours === 0 ? [] : [formatUnit(hours, "hour")]),
    ...(minutes % 60 === 0 && hours > 0 ? [] : [formatUnit(minutes % 60, "minute")]),
  ]);
}

const filterOf: Record<LabelKind, (slug: string) => ListQuery> = {
  categories: (slug) => ({ category: slug }),
  tags: (slug) => ({ tag: slug }),
  actors: (slug) => ({ actor: slug }),
};

/** Creates the page of a category, tag or actor, with a heading, an intro and videos. */
export function singlePage(
  kind: LabelKind,
): Required<Pick<PageModule, "Component" | "loader" | "handle">> {
  const messages = browseMessages[kind];
  const shownName = (name: string) => (kind === "tags" ? `#${name}` : name);
  const introOf = (item: Pick<SingleData, "name" | "description">) =>
    item.description ?? messages.introOf(item.name);

  /** Returns the query of the list: the order of a series, otherwise the newest videos first. */
  const queryOf = (slug: string, isSeries: boolean): ListQuery => ({
    ...filterOf[kind](slug),
    sort: isSeries ? "part" : "newest",
  });

  const loader: LoaderFunction = async ({ request, params, context }) => {
    const api = context.get(pageApiContext);
    const cursor = new URL(request.url).searchParams.get("cursor") ?? undefined;
    const slug = params.slug ?? "";
    const [item, hasList] = await Promise.all([
      api.getLabel(kind, slug).catch((error: unknown) => {
        throw routeFailure(error);
      }),
      hasListings(api),
    ]);
    // This is an old URL of the label.
    if (!import.meta.env.SSR && item.slug !== slug) {
      library.rename(slug, { slug: item.slug, name: item.name }, kind);
    }
    const query = { ...queryOf(item.slug, item.isSeries), cursor };
    const result = hasList ? await loadCardList(api, query) : null;
    const { name, description, isSeries, videoCount, runningTimeS = 0 } = item;
    const series = isSeries ? { count: videoCount, runningTimeS } : null;
    const picture = item.imageUrl ?? item.coverUrl;
    const status = result === null || result.isLoaded ? 200 : (result.status ?? 503);
    return data<SingleData>(
      { name, slug: item.slug, description, picture, series, result },
      { status },
    );
  };

  function Component() {
    const item = useLoaderData<SingleData>();
    const location = useLocation();
    const href = `/${kind}/${encodeURIComponent(item.slug)}`;
    const query = queryOf(item.slug, item.series !== null);
    return (
      <>
        <PageHeading
          title={shownName(item.name)}
          intro={introOf(item)}
          picture={
            kind === "tags" ? null : <LabelPicture src={item.picture} isRound={kind === "actors"} />
          }
          action={
            <div className="flex flex-wrap gap-2">
              <PlayAll result={item.result} query={query} name={shownName(item.name)} />
              <FollowButton follow={{ kind, slug: item.slug, name: item.name }} />
            </div>
          }
        />
        {item.series === null ? null : (
          <p className="tabular facts mb-4 text-sm text-ink-11">
            <span>{counted(item.series.count, formatTexts.videos)}</span>
            <span>{seriesTexts.runningTime(runningTime(item.series.runningTimeS))}</span>
          </p>
        )}
        {item.result === null ? null : (
          <VideoList
            key={location.key + item.slug}
            result={item.result}
            query={query}
            hrefOfCursor={(cursor) => `${href}?cursor=${encodeURIComponent(cursor)}`}
            label={messages.introOf(item.name)}
          />
        )}
      </>
    );
  }

  const handle = pageHandle<SingleData>({
    query: ["cursor"],
    allowsTrustedAds: true,
    unknownTitle: () => messages.unknownTitle,
    head: ({ data: item, site }) => {
      const title = siteTitle(shownName(item.name), site);
      const canonical = `${site.url}/${kind}/${encodeURIComponent(item.slug)}`;
      const description = shorten(introOf(item), 200);
      return {
        title,
        description,
        canonical,
        meta: shareMeta(site, {
          title,
          description,
          url: canonical,
          type: "website",
          image: item.picture === null ? null : { url: absoluteUrl(site, item.picture) },
        }),
        links: [
          {
            rel: "alternate",
            type: "application/rss+xml",
            title,
            href: pagePath(`/${kind}/${encodeURIComponent(item.slug)}/feed.rss`),
          },
        ],
        jsonLd: [
          {
            "@context": "https://schema.org",
            "@type": "BreadcrumbList",
            itemListElement: [
              {
                "@type": "ListItem",
                position: 1,
                name: messages.title,
                item: `${site.url}/${kind}`,
              },
              { "@type": "ListItem", position: 2, name: item.name, item: canonical },
            ],
          },
        ],
      };
    },
  });

  return { Component, loader, handle };
}
