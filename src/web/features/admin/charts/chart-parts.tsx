import { useLayoutEffect, useRef, useState } from "react";

interface Scale {
  max: number;
  ticks: number[];
}

/**
 * Returns a scale from 0 to at least `highest` with round steps: 1, 2, 2.5 or 5 times a power of
 * ten.
 */
export function niceScale(highest: number, steps = 4): Scale {
  if (!(highest > 0)) return { max: steps, ticks: Array.from({ length: steps + 1 }, (_, n) => n) };
  const rough = highest / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((choice) => choice * power >= rough) ?? 10;
  // Counts are whole numbers.
  const step = highest <= steps ? 1 : factor * power;
  const count = Math.ceil(highest / step);
  return { max: count * step, ticks: Array.from({ length: count + 1 }, (_, n) => n * step) };
}

export interface DayValue {
  /** UTC day, such as "2026-03-04". */
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
export const dayOf = (date: string) => new Date(`${date}T00:00:00Z`);
/** Compares UTC days. */
export const isToday = (day: DayValue | undefined): boolean =>
  day?.date === new Date().toISOString().slice(0, 10);

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

export function Days({ frame, days }: { frame: ChartFrame; days: readonly DayValue[] }) {
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
export function Mark({ frame, x, y }: { frame: ChartFrame; x: number; y: number }) {
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
export function nextIndex(key: string, at: number | null, count: number): number | undefined {
  return {
    ArrowLeft: Math.max(0, (at ?? count) - 1),
    ArrowRight: Math.min(count - 1, (at ?? -1) + 1),
    Home: 0,
    End: count - 1,
  }[key];
}
