import { queryOptions, useQuery } from "@tanstack/react-query";
import {
  videoStatistics,
  type VideoStatistics as Figures,
} from "../../../../../contract/admin-statistics.ts";
import { formatDuration } from "../../../../lib/format/format.ts";
import { countOf } from "../../../../lib/format/english-counts.ts";
import { DayChart } from "../../charts/day-chart.tsx";
import { adminCall } from "../../shared/admin-api.ts";

const messages = {
  title: "Statistics of 30 days",
  plays: "Plays",
  totals: (plays: number, watchTime: string) =>
    `${countOf(plays, "play")}, ${watchTime} of watch time`,
  retention: "How far viewers watch",
  retentionHint: (plays: number) =>
    `By the watch time of the latest ${countOf(plays, "engaged play")}.`,
} as const;

const statisticsQuery = (videoId: string) =>
  queryOptions({
    queryKey: ["admin", "video", videoId, "statistics"],
    queryFn: () => adminCall(`/api/admin/videos/${videoId}/statistics`, videoStatistics),
  });

/** Plays and watch time of a video by day, and its retention. */
export function VideoStatistics({ videoId }: { videoId: string }) {
  const { data } = useQuery(statisticsQuery(videoId));
  if (data === undefined) return null;
  const sum = (name: "plays" | "watchTimeS") =>
    data.days.reduce((total, day) => total + day[name], 0);
  return (
    <section aria-labelledby="statistics" className="mt-8">
      <h2 id="statistics" className="font-semibold">
        {messages.title}
      </h2>
      <p className="mb-2 text-ink-11">
        {messages.totals(sum("plays"), formatDuration(sum("watchTimeS")))}
      </p>
      <DayChart
        label={messages.plays}
        days={data.days.map(({ date, plays }) => ({ date, value: plays }))}
        format={(value) => value.toLocaleString()}
      />
      {data.retentionPlays === 0 ? null : <Retention figures={data} />}
    </section>
  );
}

function Retention({ figures }: { figures: Figures }) {
  return (
    <>
      <h3 className="mt-6 font-medium">{messages.retention}</h3>
      <p className="mb-2 text-ink-11">{messages.retentionHint(figures.retentionPlays)}</p>
      <ol className="tabular grid max-w-xl gap-1.5">
        {figures.retention.map((share, at) => {
          const name = `${at * 10}%`;
          const percent = Math.round(share * 100);
          return (
            <li key={name} className="grid grid-cols-[3rem_1fr_3rem] items-center gap-3">
              <span className="text-ink-11">{name}</span>
              <progress
                className="meter w-full!"
                max={100}
                value={percent}
                aria-label={`${name} of the video`}
              />
              <span className="text-end">{percent}%</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
