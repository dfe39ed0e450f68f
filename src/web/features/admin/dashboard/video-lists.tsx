import { countOf } from "#web/lib/format/english-counts.ts";
import { useQuery } from "@tanstack/react-query";
import type { StatisticsDays } from "#contract/lists/admin-statistics.ts";
import type { AdminStats } from "#contract/lists/statistics.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { statisticsQuery } from "./calls.ts";
import { Panel } from "./panel.tsx";
import { createdDate } from "../shared/moments.ts";

const linkClass =
  "-mx-2 flex min-h-11 flex-wrap items-center gap-x-3 rounded-md px-2 py-1.5 transition-colors hover:bg-ink-3";

function Waiting() {
  return (
    <div className="grid gap-3 py-1">
      {Array.from({ length: 5 }, (_, at) => (
        <Skeleton key={at} className="h-8 w-full" />
      ))}
    </div>
  );
}

export function RecentVideos({ videos }: { videos: AdminStats["recentVideos"] | undefined }) {
  return (
    <Panel
      title="Recent Videos"
      aside={
        <a href="/admin/videos" className="hover:text-ink-12 hover:underline">
          All videos
        </a>
      }
    >
      {videos === undefined ? (
        <Waiting />
      ) : videos.length === 0 ? (
        <p className="py-4 text-ink-11">No videos found</p>
      ) : (
        <ul>
          {videos.map((video) => (
            <li key={video.id}>
              <a href={`/admin/videos/${video.id}`} className={linkClass}>
                <span className="min-w-0 flex-1 font-medium">
                  <bdi className="one-line">{video.title}</bdi>
                </span>
                <span className="tabular whitespace-nowrap text-ink-11">
                  {createdDate(video.createdAt)}
                </span>
                <span className="tabular min-w-24 text-end whitespace-nowrap text-ink-11">
                  {countOf(video.views, "view")}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function TopVideos({ days }: { days: StatisticsDays }) {
  const read = useQuery(statisticsQuery(days));
  // The charts already report the failure.
  if (read.isLoadingError) return null;
  return (
    <Panel title="Top Videos" aside={`${days} days`}>
      {read.data === undefined ? (
        <Waiting />
      ) : read.data.topVideos.length === 0 ? (
        <p className="py-4 text-ink-11">No plays in this period.</p>
      ) : (
        <ol>
          {read.data.topVideos.map((video, at) => (
            <li key={video.id}>
              <a href={`/admin/videos/${video.id}`} className={linkClass}>
                <span className="tabular w-4 text-ink-11">{at + 1}</span>
                <span className="min-w-0 flex-1 font-medium">
                  <bdi className="one-line">{video.title}</bdi>
                </span>
                <span className="tabular whitespace-nowrap text-ink-11">
                  {countOf(video.plays, "play")}
                </span>
              </a>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
