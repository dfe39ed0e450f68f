import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  statisticsDays,
  type AdminStatistics,
  type StatisticsDays,
} from "#contract/lists/admin-statistics.ts";
import { classNames } from "#web/components/ui/class-names.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { formatGrowth } from "#web/lib/format/format-growth.ts";
import { formatCount } from "#web/lib/format/format.ts";
import { QueryError } from "../shared/admin-page.tsx";
import { DayChart, niceScale, type Scale } from "../charts/day-chart.tsx";
import { statisticsQuery } from "./calls.ts";

type MetricName = Exclude<keyof AdminStatistics["days"][number], "date">;

const whole = (value: number) => Math.round(value).toLocaleString();

/** Returns "1 h 30 min" for 5400 s and "1 min 30 s" for 90 s. */
export function formatWatchTime(seconds: number): string {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 60) return s % 60 === 0 ? `${minutes} min` : `${minutes} min ${s % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 100) return `${hours.toLocaleString()} h`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Returns a scale in whole seconds, minutes or hours. */
export function watchTimeScale(highestS: number): Scale {
  const unitS = highestS >= 3600 ? 3600 : highestS >= 60 ? 60 : 1;
  const { max, ticks } = niceScale(highestS / unitS);
  return { max: max * unitS, ticks: ticks.map((tick) => tick * unitS) };
}

/** Formats a watch time for an axis label. */
export function formatWatchTick(seconds: number): string {
  if (seconds >= 3600) return `${formatCount(seconds / 3600)} h`;
  return seconds >= 60 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} s`;
}

interface Metric {
  name: MetricName;
  label: string;
  format: (value: number) => string;
  formatTick: (value: number) => string;
  scaleOf?: (highest: number) => Scale;
}

const metrics: readonly Metric[] = [
  { name: "plays", label: "Plays", format: whole, formatTick: formatCount },
  {
    name: "watchTimeS",
    label: "Watch time",
    format: formatWatchTime,
    formatTick: formatWatchTick,
    scaleOf: watchTimeScale,
  },
  { name: "likes", label: "Likes", format: whole, formatTick: formatCount },
  { name: "adImpressions", label: "Ad impressions", format: whole, formatTick: formatCount },
  { name: "adClicks", label: "Ad clicks", format: whole, formatTick: formatCount },
];

export function sumOf(statistics: AdminStatistics, name: MetricName): number {
  return statistics.days.reduce((sum, day) => sum + day[name], 0);
}

/**
 * Returns the change from the previous days in percent, without today, which isn't over. Null if
 * those days were empty.
 */
export function changeOf(statistics: AdminStatistics, name: MetricName): number | null {
  const before = statistics.before[name];
  const sum = sumOf({ ...statistics, days: statistics.days.slice(0, -1) }, name);
  return before <= 0 ? null : ((sum - before) / before) * 100;
}

export function RangeSwitch({
  days,
  onDays,
}: {
  days: StatisticsDays;
  onDays: (days: StatisticsDays) => void;
}) {
  return (
    <div role="group" aria-label="Time range" className="flex rounded-md bg-ink-3 p-1">
      {statisticsDays.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === days}
          className={classNames(
            "relative min-h-small rounded-sm px-3 font-medium after:absolute after:inset-x-0 after:-inset-y-1",
            choice === days ? "bg-ink-1 text-ink-12 shadow-low" : "text-ink-11 hover:text-ink-12",
          )}
          onClick={() => onDays(choice)}
        >
          {`${choice} days`}
        </button>
      ))}
    </div>
  );
}

function MetricButton({
  metric,
  statistics,
  isChosen,
  onChoose,
}: {
  metric: Metric;
  statistics: AdminStatistics | undefined;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const change = statistics === undefined ? null : changeOf(statistics, metric.name);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      className={classNames(
        "flex min-w-36 flex-1 flex-col border-b-2 px-4 py-3 text-start transition-colors",
        isChosen ? "border-lamp-text bg-ink-3" : "border-transparent hover:bg-ink-3",
      )}
      onClick={onChoose}
    >
      <span className="text-ink-11">{metric.label}</span>
      {statistics === undefined ? (
        <Skeleton className="mt-1 h-6 w-16" />
      ) : (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="tabular text-base font-semibold whitespace-nowrap">
            {metric.format(sumOf(statistics, metric.name))}
          </span>
          {change === null ? null : (
            <span
              className={classNames(
                "tabular text-xs leading-5",
                change < 0 ? "text-danger-text" : "text-done-text",
              )}
            >
              {formatGrowth(change)}
            </span>
          )}
        </span>
      )}
    </button>
  );
}

/** Five totals for the selected days and a chart of one of them. */
export function Trends({ days }: { days: StatisticsDays }) {
  const read = useQuery(statisticsQuery(days));
  const [name, setName] = useState<Metric["name"]>("plays");
  const metric = metrics.find((choice) => choice.name === name) ?? metrics[0];
  if (read.isLoadingError) {
    return (
      <QueryError
        className="rounded-lg bg-ink-2"
        message="Couldn't load the statistics."
        query={read}
      />
    );
  }
  return (
    <section
      aria-label={`The last ${days} days`}
      aria-busy={read.isPlaceholderData}
      className={classNames(
        "overflow-hidden rounded-lg bg-ink-2 transition-opacity",
        read.isPlaceholderData && "opacity-60",
      )}
    >
      <div className="no-scrollbar flex overflow-x-auto border-b border-line">
        {metrics.map((choice) => (
          <MetricButton
            key={choice.name}
            metric={choice}
            statistics={read.data}
            isChosen={choice.name === name}
            onChoose={() => setName(choice.name)}
          />
        ))}
      </div>
      <div className="p-4">
        {read.data === undefined || metric === undefined ? (
          <Skeleton className="h-60 w-full" />
        ) : (
          <DayChart
            label={metric.label}
            days={read.data.days.map((day) => ({ date: day.date, value: day[metric.name] }))}
            today={read.data.days.at(-1)?.date}
            format={metric.format}
            formatTick={metric.formatTick}
            scaleOf={metric.scaleOf}
          />
        )}
      </div>
    </section>
  );
}
