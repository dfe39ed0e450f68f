import { TrendingDownIcon, TrendingUpIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { TrendingStats } from "#contract/lists/statistics.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { counted, formatCount } from "#web/lib/format/format.ts";
import { formatGrowth } from "#web/lib/format/format-growth.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const formatTexts = inLanguage("format");
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
