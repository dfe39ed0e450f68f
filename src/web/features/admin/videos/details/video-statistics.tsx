import { queryOptions, useQuery } from "@tanstack/react-query";
import {
  videoStatistics,
  type VideoStatistics as Figures,
} from "#contract/lists/admin-statistics.ts";
import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { DayChart } from "../../charts/day-chart.tsx";
import { adminCall } from "../../shared/admin-api.ts";

const messages = {
  totals: (plays: number, watchTime: string) =>
    `${countOf(plays, "play")}, ${watchTime} of watch time`,
  retentionHint: (plays: number) =>
    `Based on watch time of the latest ${countOf(plays, "engaged play")}.`,
  originsHint: (plays: number) => `Sources of the latest ${countOf(plays, "engaged play")}.`,
} as const;

const originNames: Record<PlayOrigin, string> = {
  feed: "For You feed",
  lists: "Video lists",
  search: "Search",
  related: "Other videos",
  library: "Visitor's library",
  referral: "Referral links",
  external: "Other sites",
  embed: "Embedded player",
  direct: "Direct",
};

const statisticsQuery = (videoId: string) =>
  queryOptions({
    queryKey: ["admin", "video", videoId, "statistics"],
    queryFn: () => adminCall(`/api/admin/videos/${videoId}/statistics`, videoStatistics),
  });

/** Daily plays and watch time of a video, where plays come from, and how far viewers watch. */
export function VideoStatistics({ videoId }: { videoId: string }) {
  const { data } = useQuery(statisticsQuery(videoId));
  if (data === undefined) return null;
  const sum = (name: "plays" | "watchTimeS") =>
    data.days.reduce((total, day) => total + day[name], 0);
  return (
    <section aria-labelledby="statistics" className="mt-8">
      <h2 id="statistics" className="scroll-mt-20 font-semibold">
        Statistics (last 30 days)
      </h2>
      <p className="mb-2 text-ink-11">
        {messages.totals(sum("plays"), formatDuration(sum("watchTimeS")))}
      </p>
      <DayChart
        label="Plays"
        days={data.days.map(({ date, plays }) => ({ date, value: plays }))}
        format={(value) => value.toLocaleString()}
      />
      <div className="grid gap-x-10 lg:grid-cols-2">
        {data.origins.length === 0 ? null : <Origins figures={data} />}
        {data.retentionPlays === 0 ? null : <Retention figures={data} />}
      </div>
    </section>
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

function Origins({ figures }: { figures: Figures }) {
  const plays = figures.origins.reduce((sum, origin) => sum + origin.plays, 0);
  return (
    <section aria-labelledby="origins">
      <h3 id="origins" className="mt-6 font-medium">
        Where plays come from
      </h3>
      <p className="mb-2 text-ink-11">{messages.originsHint(plays)}</p>
      <ol className="grid max-w-xl gap-1.5">
        {figures.origins.map((row) => (
          <Share
            key={row.origin}
            name={originNames[row.origin]}
            label={originNames[row.origin]}
            share={row.plays / plays}
            className="grid-cols-[9rem_1fr_3rem]"
          />
        ))}
      </ol>
    </section>
  );
}

function Share(props: { name: string; label: string; share: number; className: string }) {
  const percent = Math.round(props.share * 100);
  return (
    <li className={`tabular grid items-center gap-3 ${props.className}`}>
      <span className="text-ink-11">{props.name}</span>
      <progress className="meter w-full!" max={100} value={percent} aria-label={props.label} />
      <span className="text-end">{percent}%</span>
    </li>
  );
}
