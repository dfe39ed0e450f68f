import { useId, useState, type KeyboardEvent, type PointerEvent } from "react";
import {
  Axes,
  Days,
  dayOf,
  isToday,
  Mark,
  nextIndex,
  niceScale,
  useWidth,
  type ChartFrame,
  type DayValue,
} from "./chart-parts.tsx";

/** Shows the numbers of a chart in a table. */
function DayTable({
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

const height = 240;
const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" });

const nameOfDay = (day: DayValue) =>
  longDay.format(dayOf(day.date)) + (isToday(day) ? ", so far" : "");

const Fade = ({ id }: { id: string }) => (
  <defs>
    <linearGradient id={id} x1="0" x2="0" y1="0" y2="1">
      <stop offset="0" stopColor="var(--color-lamp)" stopOpacity="0.28" />
      <stop offset="1" stopColor="var(--color-lamp)" stopOpacity="0" />
    </linearGradient>
  </defs>
);

/**
 * Line chart with one number per day. The line to today is dashed. The pointer or the arrow keys
 * select a day. A table below has the same numbers for screen readers.
 */
export function DayChart({
  label,
  days,
  format,
  formatTick = format,
}: {
  /** Unit, such as "plays". */
  label: string;
  days: readonly DayValue[];
  format: (value: number) => string;
  formatTick?: (value: number) => string;
}) {
  const { box, width } = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const gradient = useId();
  const frame: ChartFrame = {
    width,
    height,
    left: 52,
    right: width - 8,
    top: 12,
    bottom: height - 26,
  };
  const scale = niceScale(Math.max(0, ...days.map((day) => day.value)));
  const xOf = (index: number) =>
    frame.left + (index / Math.max(1, days.length - 1)) * (frame.right - frame.left);
  const yOf = (value: number) => frame.bottom - (value / scale.max) * (frame.bottom - frame.top);
  const points = days.map((day, index) => `${xOf(index).toFixed(1)},${yOf(day.value).toFixed(1)}`);
  const line = points.join(" ");
  const isUnfinished = isToday(days.at(-1));
  const marked = at === null ? undefined : days[at];

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const share = (x - frame.left) / (frame.right - frame.left);
    setAt(Math.min(days.length - 1, Math.max(0, Math.round(share * (days.length - 1)))));
  };
  const step = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, at, days.length);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };

  return (
    <figure className="min-w-0">
      {/* A slider, because screen readers announce its value. */}
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={`${label} per day`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, days.length - 1)}
        aria-valuenow={at ?? Math.max(0, days.length - 1)}
        aria-valuetext={
          marked === undefined
            ? `${days.length} days. Use the arrow keys to read them.`
            : `${nameOfDay(marked)}: ${format(marked.value)}`
        }
        className="relative rounded-md"
        onKeyDown={step}
        onBlur={() => setAt(null)}
      >
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          className="block max-w-full touch-pan-y"
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
        >
          <Fade id={gradient} />
          <Axes frame={frame} scale={scale} format={formatTick} />
          <Days frame={frame} days={days} />
          <polygon
            points={`${xOf(0)},${frame.bottom} ${line} ${xOf(days.length - 1)},${frame.bottom}`}
            fill={`url(#${gradient})`}
          />
          {isUnfinished ? (
            <polyline
              points={points.slice(-2).join(" ")}
              fill="none"
              className="stroke-lamp-text"
              strokeWidth={2}
              strokeDasharray="4 4"
              strokeLinecap="round"
            />
          ) : null}
          <polyline
            points={isUnfinished ? points.slice(0, -1).join(" ") : line}
            fill="none"
            className="stroke-lamp-text"
            strokeWidth={2}
            strokeLinejoin="round"
            strokeLinecap="round"
          />
          {marked === undefined || at === null ? null : (
            <Mark frame={frame} x={xOf(at)} y={yOf(marked.value)} />
          )}
        </svg>
        {marked === undefined || at === null ? null : (
          <div
            aria-hidden="true"
            className="popup pointer-events-none absolute top-2 px-3 py-2 whitespace-nowrap"
            // Placed on the side with more space.
            style={at > days.length / 2 ? { right: width - xOf(at) + 12 } : { left: xOf(at) + 12 }}
          >
            <div className="text-xs text-ink-11">{nameOfDay(marked)}</div>
            <div className="tabular font-semibold">{`${format(marked.value)} ${label.toLowerCase()}`}</div>
          </div>
        )}
      </div>
      <DayTable label={label} days={days} format={format} />
    </figure>
  );
}
