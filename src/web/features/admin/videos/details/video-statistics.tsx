import { queryOptions, useQuery } from "@tanstack/react-query";
import {
  videoStatistics,
  type VideoStatistics as Figures,
} from "#contract/lists/admin-statistics.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { formatDuration } from "#web/lib/format/format.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import {
  CountriesAndDevices,
  CsvLinks,
  originNames,
  PlayShares,
  Share,
  WatchedParts,
} from "../../charts/audience.tsx";
import { DayChart } from "../../charts/day-chart.tsx";
import { adminCall } from "../../shared/admin-api.ts";
import { QueryError } from "../../shared/admin-page.tsx";

const messages = {
  totals: (plays: number, watchTime: string) =>
    `${countOf(plays, "play")}, ${watchTime} of watch time`,
  retentionHint: (plays: number) =>
    `Based on watch time of the latest ${countOf(plays, "engaged play")}.`,
  originsHint: (plays: number) => `Sources of the latest ${countOf(plays, "engaged play")}.`,
} as const;

export const videoStatisticsQuery = (videoId: string) =>
  queryOptions({
    queryKey: ["admin", "video", videoId, "statistics"],
    queryFn: () => adminCall(`/api/admin/videos/${videoId}/statistics`, videoStatistics),
  });

/** Daily plays and watch time of a video, what was watched, and where plays come from. */
export function VideoStatistics({ video }: { video: Video }) {
  const read = useQuery(videoStatisticsQuery(video.id));
  return (
    <section aria-labelledby="statistics" className="mt-8">
      <h2 id="statistics" className="scroll-mt-20 font-semibold">
        Statistics (last 30 days)
      </h2>
      {read.isLoadingError ? (
        <QueryError message="Failed to load statistics" query={read} />
      ) : read.data === undefined ? (
        <Skeleton className="mt-2 h-60 w-full" />
      ) : (
        <LoadedStatistics video={video} data={read.data} />
      )}
    </section>
  );
}

function LoadedStatistics({ video, data }: { video: Video; data: Figures }) {
  const sum = (name: "plays" | "watchTimeS") =>
    data.days.reduce((total, day) => total + day[name], 0);
  return (
    <>
      <p className="mb-2 text-ink-11">
        {messages.totals(sum("plays"), formatDuration(sum("watchTimeS")))}
      </p>
      <DayChart
        label="Plays"
        days={data.days.map(({ date, plays }) => ({ date, value: plays }))}
        today={data.days.at(-1)?.date}
        format={(value) => value.toLocaleString()}
      />
      <WatchedParts
        curve={data.curve}
        durationS={video.duration}
        storyboardUrl={video.storyboardUrl}
      />
      <div className="grid gap-x-10 lg:grid-cols-2">
        <PlayShares
          id="origins"
          title="Where plays come from"
          hint={messages.originsHint(data.origins.reduce((total, { plays }) => total + plays, 0))}
          rows={data.origins.map(({ origin, plays }) => ({ name: originNames[origin], plays }))}
        />
        {data.retentionPlays === 0 ? null : <Retention figures={data} />}
        <CountriesAndDevices countries={data.countries} devices={data.devices} />
      </div>
      <CsvLinks path={`/api/admin/videos/${video.id}/statistics.csv`} name={video.slug} />
    </>
  );
}

function Retention({ figures }: { figures: Figures }) {
  return (
    <section aria-labelledby="retention">
      <h3 id="retention" className="mt-6 font-medium">
        How far viewers watch
      </h3>
      <p className="mb-2 text-ink-11">{messages.retentionHint(figures.retentionPlays)}</p>
      <ol className="grid max-w-xl gap-1.5">
        {figures.retention.map((share, at) => (
          <Share
            key={`${at * 10}`}
            name={`${at * 10}%`}
            label={`${at * 10}% of the video`}
            share={share}
            className="grid-cols-[3rem_1fr_3rem]"
          />
        ))}
      </ol>
    </section>
  );
}
