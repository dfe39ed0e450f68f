import { classNames } from "#web/components/ui/class-names.ts";
import { useState } from "react";
import { SelectField } from "#web/components/ui/field.tsx";
import { formatCount, formatWhole } from "#web/lib/format/format.ts";
import { DayChart } from "#web/features/admin/charts/day-chart.tsx";
import { dayIn } from "../../contract/site-zone.ts";
import { measureOptions, measures } from "./messages.ts";

interface CountTableProps {
  caption: string;
  /** Column headings. The first one is above the row names. */
  heads: string[];
  hiddenOnPhones?: string;
  /** Rows need a `key` if names can repeat. */
  rows: { key?: string; name: string; note?: string; values: string[] }[];
}

/** Table of numbers with a caption. */
export function CountTable({ caption, heads, hiddenOnPhones, rows }: CountTableProps) {
  const hidden = (at: number) => heads[at] === hiddenOnPhones && "max-sm:hidden";
  return (
    <table className="tabular w-full text-start">
      <caption className="pb-2 text-start font-medium">{caption}</caption>
      <thead className="text-ink-11">
        <tr>
          {heads.map((head, at) => (
            <th
              key={head}
              scope="col"
              className={classNames(
                "py-1 font-medium",
                at > 0 ? "ps-3 text-end" : "text-start",
                hidden(at),
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, key = name, note, values }) => (
          <tr key={key} className="border-t border-line align-top">
            <th scope="row" className="min-w-24 py-1.5 text-start font-normal break-words">
              {name}
              {note === undefined ? null : (
                <span className="block text-sm text-ink-11">{note}</span>
              )}
            </th>
            {values.map((value, at) => (
              <td
                key={heads[at + 1]}
                className={classNames("py-1.5 ps-3 text-end", hidden(at + 1))}
              >
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Measure = keyof typeof measures;
const isMeasure = (name: string): name is Measure => name in measures;

/** Chart of one ad measure by day. The user selects the measure. `date` looks like `2026-05-04`. */
export function MeasureChart({
  days,
  timeZone,
}: {
  days: readonly ({ date: string } & Record<Measure, number>)[];
  timeZone: string;
}) {
  const [measure, setMeasure] = useState<Measure>("impressions");
  const [today] = useState(() => dayIn(timeZone, Date.now()));
  return (
    <>
      <SelectField
        label="Measure"
        isLabelHidden
        options={measureOptions}
        value={measure}
        className="w-52 max-w-full"
        onChange={(event) => {
          if (isMeasure(event.target.value)) setMeasure(event.target.value);
        }}
      />
      <DayChart
        label={measures[measure]}
        days={days.map((day) => ({ date: day.date, value: day[measure] }))}
        today={today}
        format={formatWhole}
        formatTick={formatCount}
      />
    </>
  );
}
