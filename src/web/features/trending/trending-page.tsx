import { data, useLoaderData, useLocation, type LoaderFunctionArgs } from "react-router";
import { timeRangeValues, type TimeRange } from "#contract/limits.ts";
import type { TrendingStats } from "#contract/lists/statistics.ts";
import { ChipLink } from "#web/components/ui/chip.tsx";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { PlayAll } from "#web/components/video/play-all.tsx";
import { VideoGridSkeleton } from "#web/components/video/video-grid.tsx";
import { VideoList } from "#web/components/video/video-list.tsx";
import { loadCardList, type ListResult } from "#web/lib/lists/card-list.ts";
import { useNextPath } from "#web/lib/page/location.ts";
import { pageHandle, pageApiContext } from "#web/lib/page/page-route.ts";
import { shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { TrendingDownIcon, TrendingUpIcon } from "lucide-react";
import type { ReactNode } from "react";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { counted, formatCount } from "#web/lib/format/format.ts";
import { formatGrowth } from "#web/lib/format/format-growth.ts";

const formatTexts = inLanguage("format");
const rangeLabels = inLanguage("ranges");
const messages = inLanguage("trending");

/** Shows nothing for null, which is the growth of All Time. */
function Growth({ percent }: { percent: number | null }) {
  if (percent === null) return null;
  const text = <span dir="ltr">{formatGrowth(percent)}</span>;
  // Has no direction if it is displayed as zero.
  if (Math.abs(percent) < 0.05) {
    return <span className="tabular text-sm font-medium text-ink-11">{text}</span>;
  }
  const isUp = percent > 0;
  const Icon = isUp ? TrendingUpIcon : TrendingDownIcon;
  const tone = isUp ? "text-done-text" : "text-danger-text";
  return (
    <span className={`tabular inline-flex items-center gap-1 text-sm font-medium ${tone}`}>
      <Icon className="size-4" />
      <span className="sr-only">{isUp ? messages.up : messages.down}</span>
      {text}
    </span>
  );
}

function Tile({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 rounded-lg bg-ink-2 p-4 md:p-5">
      <dt className="text-sm text-ink-11">{name}</dt>
      <dd className="mt-1.5">{children}</dd>
    </div>
  );
}

function Figure({ value, growth }: { value: number; growth?: number | null }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <span className="tabular text-xl font-semibold tracking-tight">{formatCount(value)}</span>
      {/* A new site has nothing to compare with. */}
      <Growth percent={value === 0 && growth === 0 ? null : (growth ?? null)} />
    </span>
  );
}

/** Four tiles with statistics above the list. */
export function StatTiles({ stats: { stats, topVideo } }: { stats: TrendingStats }) {
  return (
    <dl aria-label={messages.tiles} className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
      <Tile name={messages.videos}>
        <Figure value={stats.totalVideos} />
      </Tile>
      <Tile name={messages.views}>
        <Figure value={stats.totalViews} growth={stats.viewsGrowth} />
      </Tile>
      <Tile name={messages.likes}>
        <Figure value={stats.totalLikes} growth={stats.likesGrowth} />
      </Tile>
      <Tile name={messages.topVideo}>
        {topVideo === null ? (
          <span className="text-base font-medium text-ink-11">{messages.noData}</span>
        ) : (
          <>
            <a
              href={pagePath(videoHref(topVideo.slug))}
              className="font-semibold hover:text-lamp-text"
            >
              <bdi className="title-lines">{topVideo.title}</bdi>
            </a>
            <span className="tabular text-sm text-ink-11">
              {counted(topVideo.views, formatTexts.views)}
            </span>
          </>
        )}
      </Tile>
    </dl>
  );
}

interface TrendingData {
  range: TimeRange;
  stats: TrendingStats | null;
  result: ListResult;
}

const defaultRange: TimeRange = "week";

function trendingHref(range: TimeRange, cursor?: string): string {
  const params = new URLSearchParams();
  if (range !== defaultRange) params.set("timeRange", range);
  if (cursor !== undefined) params.set("cursor", cursor);
  return params.size === 0 ? "/trending" : `/trending?${params}`;
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const api = context.get(pageApiContext);
  const range = timeRangeValues.find((value) => value === params.get("timeRange")) ?? defaultRange;
  const [stats, result] = await Promise.all([
    api.trendingStats(range).catch((error: unknown) => {
      console.error("Trending figures failed", error);
      return null;
    }),
    loadCardList(api, {
      sort: "trending",
      timeRange: range,
      cursor: params.get("cursor") ?? undefined,
    }),
  ]);
  const status = result.isLoaded ? 200 : (result.status ?? 503);
  return data<TrendingData>({ range, stats, result }, { status });
}

export const handle = pageHandle<TrendingData>({
  query: ["timeRange", "cursor"],
  allowsTrustedAds: true,
  head: ({ data: { range }, site }) => {
    const title = siteTitle(messages.title, site);
    const canonical = site.url + trendingHref(range);
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

export function Component() {
  const { range, stats, result } = useLoaderData<TrendingData>();
  const location = useLocation();
  const isLoading = useNextPath() === "/trending";
  const query = { sort: "trending", timeRange: range } as const;
  return (
    <>
      <PageHeading
        title={messages.title}
        intro={messages.intro}
        action={<PlayAll result={result} query={query} name={messages.title} />}
      />
      <nav aria-label={messages.range} className="mb-6">
        <ul className="no-scrollbar -mx-4 flex gap-1.5 overflow-x-auto px-4 py-1 sm:mx-0 sm:gap-2 sm:px-0">
          {timeRangeValues.map((value) => (
            <li key={value}>
              <ChipLink
                href={trendingHref(value)}
                isActive={value === range}
                title={rangeLabels[value].hint}
                className="max-sm:px-2.5"
                data-keep-scroll
              >
                {rangeLabels[value].label}
              </ChipLink>
            </li>
          ))}
        </ul>
      </nav>
      {stats === null ? (
        <p role="alert" className="text-sm text-danger-text">
          {messages.statsFailed}
        </p>
      ) : (
        <StatTiles stats={stats} />
      )}
      <div className="mt-8">
        {isLoading ? (
          <VideoGridSkeleton />
        ) : (
          <VideoList
            key={location.key + range}
            result={result}
            query={query}
            hrefOfCursor={(cursor) => trendingHref(range, cursor)}
            label={messages.listLabel}
          />
        )}
      </div>
    </>
  );
}
