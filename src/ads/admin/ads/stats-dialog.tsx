import { useQuery } from "@tanstack/react-query";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { formatWhole } from "#web/lib/format/format.ts";
import { DownloadLink } from "#web/features/admin/shared/file-button.tsx";
import { clickThroughRate } from "../../contract/ad-rules.ts";
import type { Ad, AdCounts } from "../../contract/ads.ts";
import { adStatsQuery, statsCsvPath, statsDays } from "./calls.ts";
import { CountTable, MeasureChart } from "./count-table.tsx";
import { errorCauseLabels, placementLabels } from "./messages.ts";

/** Statistics of one ad for the last 30 days: a chart, a table by placement and a CSV file. */
export function StatsDialog({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const stats = useQuery(adStatsQuery(ad.id));
  return (
    <Dialog
      size="large"
      title={ad.title}
      description={stats.data && `Last ${statsDays} days, ${stats.data.timeZone} time`}
      onClose={onClose}
      footer={
        <DownloadLink href={statsCsvPath(ad.id)} className={buttonClass({})}>
          Export CSV
        </DownloadLink>
      }
    >
      {stats.isError ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>Couldn't load the statistics.</p>
          <Button onClick={() => void stats.refetch()}>Try Again</Button>
        </div>
      ) : stats.data === undefined ? (
        <Skeleton className="h-72 w-full" />
      ) : (
        <div className="grid gap-6">
          <Totals counts={stats.data.totals} />
          <Origins counts={stats.data.totals} />
          <MeasureChart days={stats.data.days.map((row) => ({ ...row, date: row.day }))} />
          {stats.data.errorCauses.length === 0 ? null : (
            <CountTable
              caption="Errors by cause"
              heads={["Cause", "Errors"]}
              rows={stats.data.errorCauses.map(({ cause, count }) => ({
                ...errorCauseLabels[cause],
                values: [formatWhole(count)],
              }))}
            />
          )}
          {stats.data.placements.length === 0 ? null : (
            <CountTable
              caption="By placement"
              heads={["Placement", "Impressions", "Viewable", "Clicks", "Verified CTR"]}
              hiddenOnPhones="Viewable"
              rows={stats.data.placements.map((row) => ({
                name: placementLabels[row.placement],
                values: [
                  formatWhole(row.impressions),
                  formatWhole(row.viewable),
                  formatWhole(row.clicks),
                  rate(row),
                ],
              }))}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

/** Shows verified events beside unverified and bot events, which the totals don't include. */
function Origins({ counts }: { counts: AdCounts }) {
  const row = (name: string, note: string, impressions: number, clicks: number) => ({
    name,
    note,
    values: [formatWhole(impressions), formatWhole(clicks)],
  });
  const { unverifiedImpressions, unverifiedClicks, robotImpressions, robotClicks } = counts;
  return (
    <CountTable
      caption="Verified, unverified and bot events"
      heads={["Events", "Impressions", "Clicks"]}
      rows={[
        row(
          "Verified",
          "This site showed the ad to the visitor. Limits and CTR use these numbers.",
          counts.impressions,
          counts.clicks,
        ),
        row(
          "Unverified",
          "No proof that this site showed the ad.",
          unverifiedImpressions,
          unverifiedClicks,
        ),
        row(
          "Bots",
          "Automated clients, identified by their user agent.",
          robotImpressions,
          robotClicks,
        ),
      ]}
    />
  );
}

const rate = (counts: AdCounts) =>
  `${clickThroughRate(counts.clicks, counts.impressions).toFixed(2)}%`;

function Totals({ counts }: { counts: AdCounts }) {
  const facts = [
    ["Impressions", formatWhole(counts.impressions)],
    ["Viewable", formatWhole(counts.viewable)],
    ["Clicks", formatWhole(counts.clicks)],
    ["Verified CTR", rate(counts)],
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
