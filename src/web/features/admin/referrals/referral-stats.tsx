import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Referral, ReferralStats } from "#contract/visitors/referrals.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { referralStatsQuery } from "./calls.ts";
import { QueryError } from "../shared/query-error.tsx";
import { DownloadLink } from "../shared/file-button.tsx";

type Day = ReferralStats["days"][number];

/** Counts of a referral link. */
export const series = [
  { key: "visits", label: "Visits", color: "var(--color-lamp)" },
  { key: "uniqueVisitors", label: "Unique visitors", color: "var(--color-ink-11)" },
  { key: "plays", label: "Plays", color: "var(--color-done-text)" },
] as const;

const chart = { width: 640, height: 160 };

/** Returns the points of a line. The highest value of all series is at the top. */
function pointsOf(days: readonly Day[], key: (typeof series)[number]["key"], most: number): string {
  const step = chart.width / Math.max(1, days.length - 1);
  return days
    .map((day, at) => {
      const y = chart.height - (day[key] / Math.max(1, most)) * (chart.height - 8) - 2;
      return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}

/** Shows daily visits, unique visitors and plays in a line chart and in a table. */
export function ReferralStatsDialog({
  referral,
  onClose,
}: {
  referral: Referral;
  onClose: () => void;
}) {
  const [days, setDays] = useState("30");
  const stats = useQuery(referralStatsQuery(referral.id, Number(days)));
  const list = stats.data?.days ?? [];
  const most = Math.max(0, ...list.flatMap((day) => series.map(({ key }) => day[key])));

  return (
    <Dialog
      onClose={onClose}
      size="large"
      title={`Statistics for ${referral.name}`}
      footer={
        <DownloadLink
          className={buttonClass({})}
          href={`/api/referrals/${referral.id}/stats.csv?days=${days}`}
          download={`referral-${referral.code}.csv`}
        >
          Download CSV
        </DownloadLink>
      }
    >
      <SelectField
        label="Days"
        value={days}
        onChange={(event) => setDays(event.target.value)}
        options={["7", "30", "90"].map((value) => ({ value, label: `Last ${value} days` }))}
        className="mb-4 max-w-44"
      />
      {stats.isError ? (
        <QueryError message="Failed to load statistics" query={stats} />
      ) : stats.data === undefined ? (
        <Skeleton className="h-60 w-full" />
      ) : (
        <>
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${chart.width} ${chart.height}`}
            className="h-40 w-full overflow-visible border-b border-line"
            preserveAspectRatio="none"
          >
            {series.map(({ key, color }) => (
              <polyline
                key={key}
                points={pointsOf(list, key, most)}
                fill="none"
                stroke={color}
                strokeWidth="2"
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </svg>
          <ul className="mt-2 mb-4 flex flex-wrap gap-4 text-ink-11">
            {series.map(({ key, label, color }) => (
              <li key={key} className="flex items-center gap-1.5">
                <span aria-hidden="true" className="h-0.5 w-4" style={{ background: color }} />
                {label}
              </li>
            ))}
          </ul>
          {/* Focusable, so that it can be scrolled with the keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className="max-h-64 overflow-y-auto" tabIndex={0} role="group" aria-label="By day">
            <table className="data-table tabular">
              <thead>
                <tr>
                  <th scope="col">Day</th>
                  {series.map(({ key, label }) => (
                    <th key={key} scope="col">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {list.toReversed().map((day) => (
                  <tr key={day.day}>
                    <td>{day.day}</td>
                    {series.map(({ key }) => (
                      <td key={key}>{day[key].toLocaleString()}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Dialog>
  );
}
