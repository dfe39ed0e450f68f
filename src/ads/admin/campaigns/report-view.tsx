import { formatWhole } from "#web/lib/format/format.ts";
import { dayWords } from "#web/features/admin/shared/moments.ts";
import { clickThroughRate } from "../../contract/ad-rules.ts";
import type { AdReport } from "../../contract/campaigns.ts";
import { CountTable, MeasureChart } from "../ads/count-table.tsx";
import { errorCauseLabels, originLabels, placementLabels } from "../ads/messages.ts";
import { sumText } from "./campaign-facts.tsx";

/** Chart of one measure by day. */
export function ReportChart({ days: { rows, timeZone } }: { days: AdReport }) {
  return <MeasureChart days={rows.map((row) => ({ ...row, date: row.key }))} timeZone={timeZone} />;
}

const rate = (row: { clicks: number; impressions: number }) =>
  `${clickThroughRate(row.clicks, row.impressions).toFixed(2)}%`;
const fill = (requests: number | null, filled: number | null) =>
  requests === null || filled === null || requests === 0
    ? "–"
    : `${Math.round((1000 * filled) / requests) / 10}%`;
const dayText = (day: string) => dayWords(day, "UTC");
const whole = (value: number | null) => (value === null ? "–" : formatWhole(value));

/** Totals of a report. Bots and unverified events are listed separately. */
export function ReportTotals({ report: { totals, from, to, timeZone } }: { report: AdReport }) {
  const facts = [
    ...(totals.requests === null
      ? []
      : [
          ["Requests", whole(totals.requests)],
          ["Fill rate", fill(totals.requests, totals.filled)],
        ]),
    ["Impressions", whole(totals.impressions)],
    ["Viewable", whole(totals.viewable)],
    ["Clicks", whole(totals.clicks)],
    ["CTR", rate(totals)],
    ["Completes", whole(totals.completes)],
    ["Errors", whole(totals.errors)],
    ["Revenue", sumText(totals.revenue, "amount")],
    ["eCPM", sumText(totals.revenue, "ecpm")],
    ["Unverified", whole(totals.unverifiedImpressions)],
    ["Bots", whole(totals.robotImpressions)],
  ] as const;
  return (
    <div className="grid gap-2">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4 lg:grid-cols-6">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-11">{name}</dt>
            <dd className="tabular text-lg font-semibold break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm">{`${dayText(from)} to ${dayText(to)}, ${timeZone} time`}</p>
      <p className="max-w-prose text-sm text-ink-11">
        Viewable (MRC): at least 50% of the ad's pixels on screen for 1 continuous second, or 2
        seconds for video. Covered, transparent and hidden ads don't count. Coverage is checked at
        nine points.
      </p>
    </div>
  );
}

const placeLabels: Readonly<Record<string, string>> = { ...placementLabels, ...originLabels };
/** Returns the name of a row. Only rows by placement or origin have one of these keys. */
const nameOf = ({ key, name }: { key: string; name: string }) =>
  key === name ? (placeLabels[key] ?? name) : name;

/** Rows of a report. The table scrolls sideways on a phone. */
export function ReportTable({
  report,
  heading,
  unnamed,
}: {
  report: AdReport;
  /** Heading of the column with the row names. */
  heading: string;
  /** Label for a row without a name. */
  unnamed: string;
}) {
  const hasRequests = report.rows.some(({ requests }) => requests !== null);
  if (report.rows.length === 0) return <p className="text-ink-11">No data for these dates.</p>;
  const requestHeads = hasRequests ? ["Requests", "Fill rate"] : [];
  return (
    <div className="grid gap-6">
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section aria-label={heading} tabIndex={0} className="overflow-x-auto">
        <CountTable
          caption={heading}
          heads={[
            heading,
            ...requestHeads,
            ...["Impressions", "Viewable", "Clicks", "CTR", "25%", "50%", "75%", "100%"],
            ...["Errors", "Revenue", "eCPM"],
          ]}
          rows={report.rows.map((row) => ({
            key: row.key,
            name: row.name === "" ? unnamed : nameOf(row),
            values: [
              ...(hasRequests ? [whole(row.requests), fill(row.requests, row.filled)] : []),
              ...[row.impressions, row.viewable, row.clicks].map(formatWhole),
              rate(row),
              ...[row.firstQuartiles, row.midpoints, row.thirdQuartiles].map(formatWhole),
              ...[row.completes, row.errors].map(formatWhole),
              sumText(row.revenue, "amount"),
              sumText(row.revenue, "ecpm"),
            ],
          }))}
        />
      </section>
      {hasRequests ? null : (
        <p className="text-sm text-ink-11">
          Requests and fill rate are counted per placement and origin, not per campaign.
        </p>
      )}
      {report.errorCauses.length === 0 ? null : (
        <CountTable
          caption="Errors by cause"
          heads={["Cause", "Errors"]}
          rows={report.errorCauses.map(({ cause, count }) => ({
            ...errorCauseLabels[cause],
            values: [formatWhole(count)],
          }))}
        />
      )}
    </div>
  );
}
