import { isToday, type DayValue } from "./chart-parts.tsx";

/** Shows the numbers of a chart in a table. */
export function DayTable({
  label,
  days,
  format,
}: {
  label: string;
  days: readonly DayValue[];
  format: (value: number) => string;
}) {
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-9 items-center text-ink-11 hover:text-ink-12 hover:underline">
        Show as table
      </summary>
      <table className="tabular w-full text-start">
        <thead className="text-ink-11">
          <tr>
            <th scope="col" className="py-1 text-start font-medium">
              Day
            </th>
            <th scope="col" className="py-1 text-end font-medium">
              {label}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.date} className="border-t border-line">
              <th scope="row" className="py-1.5 text-start font-normal">
                {isToday(day) ? `${day.date}, so far` : day.date}
              </th>
              <td className="py-1.5 text-end">{format(day.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
