import {
  useId,
  useState,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
} from "react";

export interface Scale {
  max: number;
  ticks: number[];
}

const steps = 4;

/**
 * Returns a scale from 0 to at least `highest` with whole, round steps: 1, 2 or 5 times a power of
 * ten, or 2.5 times ten or more.
 */
export function niceScale(highest: number): Scale {
  if (!(highest > 0)) return { max: steps, ticks: Array.from({ length: steps + 1 }, (_, n) => n) };
  const rough = highest / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factors = power >= 10 ? [1, 2, 2.5, 5] : [1, 2, 5];
  const factor = factors.find((choice) => choice * power >= rough) ?? 10;
  const step = highest <= steps ? 1 : factor * power;
  const count = Math.ceil(highest / step);
  return { max: count * step, ticks: Array.from({ length: count + 1 }, (_, n) => n * step) };
}

interface DayValue {
  /** Such as "2026-03-04". */
  date: string;
  value: number;
}

/** The plot area inside the drawing, in px. */
export interface ChartFrame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const shortDay = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});
const dayOf = (date: string) => new Date(`${date}T00:00:00Z`);

export function Axes({
  frame,
  scale,
  format,
}: {
  frame: ChartFrame;
  scale: Scale;
  format: (value: number) => string;
}) {
  return (
    <g className="tabular fill-ink-11 text-xs">
      {scale.ticks.map((tick) => {
        const y = frame.bottom - (tick / scale.max) * (frame.bottom - frame.top);
        return (
          <g key={tick}>
            <line x1={frame.left} x2={frame.right} y1={y} y2={y} className="stroke-line" />
            <text x={frame.left - 8} y={y + 4} textAnchor="end">
              {format(tick).replace(/\.0(?!\d)/, "")}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Days({ frame, days }: { frame: ChartFrame; days: readonly DayValue[] }) {
  const max = Math.max(2, Math.floor((frame.right - frame.left) / 90));
  const step = Math.max(1, Math.ceil(days.length / max));
  return (
    <g className="tabular fill-ink-11 text-xs">
      {days.map((day, at) =>
        // Counted back from today, so that the last day has a label.
        (days.length - 1 - at) % step === 0 ? (
          <text
            key={day.date}
            x={frame.left + (at / Math.max(1, days.length - 1)) * (frame.right - frame.left)}
            y={frame.height - 4}
            textAnchor={at === days.length - 1 ? "end" : at === 0 ? "start" : "middle"}
          >
            {shortDay.format(dayOf(day.date))}
          </text>
        ) : null,
      )}
    </g>
  );
}

/** Marks the day under the pointer or the one selected with the arrow keys. */
function Mark({ frame, x, y }: { frame: ChartFrame; x: number; y: number }) {
  return (
    <g>
      <line
        x1={x}
        x2={x}
        y1={frame.top}
        y2={frame.bottom}
        className="stroke-ink-8"
        strokeDasharray="3 3"
      />
      <circle cx={x} cy={y} r={5} className="fill-lamp stroke-ink-2" strokeWidth={2} />
    </g>
  );
}

/** Follows the width of a chart. */
export function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(240, Math.round(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

/** Returns the index that a key selects; undefined for other keys. */
function nextIndex(key: string, at: number | null, count: number): number | undefined {
  return {
    ArrowLeft: Math.max(0, (at ?? count) - 1),
    ArrowRight: Math.min(count - 1, (at ?? -1) + 1),
    Home: 0,
    End: count - 1,
  }[key];
}

/**
 * Point of a chart that the pointer or the arrow keys select, and the handlers of its two elements.
 * @param indexAt returns the point at a share of the width, which may lie outside the chart.
 */
export function useSelection(
  count: number,
  { left, right }: Pick<ChartFrame, "left" | "right">,
  indexAt: (share: number) => number,
) {
  const [at, setAt] = useState<number | null>(null);
  const clear = () => setAt(null);
  return {
    at,
    slider: {
      onKeyDown(event: KeyboardEvent) {
        const next = nextIndex(event.key, at, count);
        if (next === undefined) return;
        event.preventDefault();
        setAt(next);
      },
      onBlur: clear,
    },
    plot: {
      onPointerMove(event: PointerEvent<SVGSVGElement>) {
        const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
        const index = indexAt((x - left) / (right - left));
        setAt(Math.min(count - 1, Math.max(0, index)));
      },
      onPointerLeave: clear,
    },
  };
}

/** Shows the numbers of a chart in a table. */
function DayTable({
  label,
  days,
  today,
  format,
}: {
  label: string;
  days: readonly DayValue[];
  today: string | undefined;
  format: (value: number) => string;
}) {
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-small items-center text-ink-11 hover:text-ink-12 hover:underline">
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
                {day.date === today ? `${day.date}, so far` : day.date}
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

const nameOfDay = ({ date }: DayValue, today: string | undefined) =>
  longDay.format(dayOf(date)) + (date === today ? ", so far" : "");

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
  today,
  format,
  formatTick = format,
  scaleOf = niceScale,
}: {
  /** Unit, such as "plays". */
  label: string;
  days: readonly DayValue[];
  /** Day that isn't over, in the time zone of the days. */
  today: string | undefined;
  format: (value: number) => string;
  formatTick?: (value: number) => string;
  /** Returns the scale for the highest value. */
  scaleOf?: ((highest: number) => Scale) | undefined;
}) {
  const { box, width } = useWidth();
  const gradient = useId();
  const frame: ChartFrame = {
    width,
    height,
    left: 52,
    right: width - 8,
    top: 12,
    bottom: height - 26,
  };
  const { at, slider, plot } = useSelection(days.length, frame, (share) =>
    Math.round(share * (days.length - 1)),
  );
  const scale = scaleOf(Math.max(0, ...days.map((day) => day.value)));
  const xOf = (index: number) =>
    frame.left + (index / Math.max(1, days.length - 1)) * (frame.right - frame.left);
  const yOf = (value: number) => frame.bottom - (value / scale.max) * (frame.bottom - frame.top);
  const points = days.map((day, index) => `${xOf(index).toFixed(1)},${yOf(day.value).toFixed(1)}`);
  const line = points.join(" ");
  const isUnfinished = today !== undefined && days.at(-1)?.date === today;
  const marked = at === null ? undefined : days[at];

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
            : `${nameOfDay(marked, today)}: ${format(marked.value)}`
        }
        className="relative rounded-md"
        {...slider}
      >
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          className="block max-w-full touch-pan-y"
          {...plot}
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
            <div className="text-xs text-ink-11">{nameOfDay(marked, today)}</div>
            <div className="tabular font-semibold">{`${format(marked.value)} ${label.toLowerCase()}`}</div>
          </div>
        )}
      </div>
      <DayTable label={label} days={days} today={today} format={format} />
    </figure>
  );
}
