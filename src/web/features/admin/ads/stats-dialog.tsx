import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { clickThroughRate } from "../../../../contract/ad-rules.ts";
import type { Ad, AdCounts } from "../../../../contract/ads.ts";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { classNames } from "../../../components/ui/class-names.ts";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { SelectField } from "../../../components/ui/field.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { formatCount, formatWhole } from "../../../lib/format/format.ts";
import { DayChart } from "../charts/day-chart.tsx";
import { adStatsQuery, statsCsvPath, statsDays } from "./api/ad-stats.ts";
import { placementLabels } from "./messages.ts";

const measures = {
  impressions: "Impressions",
  viewable: "Viewable",
  clicks: "Clicks",
  starts: "Starts",
  firstQuartiles: "First quartile",
  midpoints: "Midpoint",
  thirdQuartiles: "Third quartile",
  completes: "Completes",
  skips: "Skips",
  errors: "Errors",
  suspectImpressions: "Suspected robots",
} as const;
type Measure = keyof typeof measures;
const isMeasure = (name: string): name is Measure => name in measures;
const measureOptions = Object.entries(measures).map(([value, label]) => ({ value, label }));

/** Statistics of one ad: the last 30 days as a chart, by placement, and as a file. */
export function StatsDialog({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const stats = useQuery(adStatsQuery(ad.id));
  const [measure, setMeasure] = useState<Measure>("impressions");
  return (
    <Dialog
      isOpen
      size="large"
      title={ad.title}
      description={`The last ${statsDays} days, in UTC`}
      onClose={onClose}
      footer={
        <a href={statsCsvPath(ad.id)} download className={buttonClass({})}>
          Export CSV
        </a>
      }
    >
      {stats.isError ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>The statistics could not be read.</p>
          <Button onClick={() => void stats.refetch()}>Try Again</Button>
        </div>
      ) : stats.data === undefined ? (
        <Skeleton className="h-72 w-full" />
      ) : (
        <div className="grid gap-6">
          <Totals counts={stats.data.totals} />
          <SelectField
            label="Measure"
            isLabelHidden
            options={measureOptions}
            value={measure}
            className="w-52"
            onChange={(event) => {
              if (isMeasure(event.target.value)) setMeasure(event.target.value);
            }}
          />
          <DayChart
            label={measures[measure]}
            days={stats.data.days.map((row) => ({ date: row.day, value: row[measure] }))}
            format={formatWhole}
            formatTick={formatCount}
          />
          {stats.data.placements.length === 0 ? null : (
            <table className="tabular w-full text-left">
              <caption className="pb-2 text-left font-medium">By placement</caption>
              <thead className="text-ink-11">
                <tr>
                  {["Placement", "Impressions", "Viewable", "Clicks", "CTR"].map((head, at) => (
                    <th
                      key={head}
                      scope="col"
                      className={classNames(
                        "py-1 font-medium",
                        at > 0 && "pl-3 text-right",
                        head === "Viewable" && "max-sm:hidden",
                      )}
                    >
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {stats.data.placements.map((row) => (
                  <tr key={row.placement} className="border-t border-line">
                    <th scope="row" className="py-1.5 font-normal">
                      {placementLabels[row.placement]}
                    </th>
                    <td className="py-1.5 pl-3 text-right">{formatWhole(row.impressions)}</td>
                    <td className="py-1.5 pl-3 text-right max-sm:hidden">
                      {formatWhole(row.viewable)}
                    </td>
                    <td className="py-1.5 pl-3 text-right">{formatWhole(row.clicks)}</td>
                    <td className="py-1.5 pl-3 text-right">{rate(row)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </Dialog>
  );
}

const rate = (counts: AdCounts) =>
  `${clickThroughRate(counts.clicks, counts.impressions).toFixed(2)}%`;

function Totals({ counts }: { counts: AdCounts }) {
  const facts = [
    ["Impressions", formatWhole(counts.impressions)],
    ["Viewable", formatWhole(counts.viewable)],
    ["Clicks", formatWhole(counts.clicks)],
    ["CTR", rate(counts)],
    ["Completes", formatWhole(counts.completes)],
    ["Skips", formatWhole(counts.skips)],
  ] as const;
  return (
    <dl className="grid grid-cols-3 gap-x-4 gap-y-3 sm:grid-cols-6">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-ink-11">{name}</dt>
          <dd className="tabular text-lg font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
