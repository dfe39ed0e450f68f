import { useState } from "react";
import { SelectField } from "#web/components/ui/field.tsx";
import { formatCount, formatWhole } from "#web/lib/format/format.ts";
import { DayChart } from "#web/features/admin/charts/day-chart.tsx";
import { measureOptions, measures } from "./messages.ts";

type Measure = keyof typeof measures;
const isMeasure = (name: string): name is Measure => name in measures;

/** Chart of one ad measure by day. The user selects the measure. `date` looks like `2026-05-04`. */
export function MeasureChart({
  days,
}: {
  days: readonly ({ date: string } & Record<Measure, number>)[];
}) {
  const [measure, setMeasure] = useState<Measure>("impressions");
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
        format={formatWhole}
        formatTick={formatCount}
      />
    </>
  );
}
