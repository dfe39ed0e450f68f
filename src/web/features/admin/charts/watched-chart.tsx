import type { WatchedCurve } from "#contract/lists/admin-statistics.ts";
import { binCount } from "#contract/videos/watched-bins.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { StoryboardStrip } from "../shared/storyboard-strip.tsx";
import { Axes, niceScale, useSelection, useWidth, type ChartFrame } from "./day-chart.tsx";

type Parts = NonNullable<WatchedCurve["parts"]>;

const height = 220;
const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;

/**
 * Curves of the share of plays that show each part of a video, and of replays, over the pictures of its
 * storyboard. The pointer or the arrow keys select a part. A table below has the numbers.
 */
export function WatchedChart({
  parts,
  durationS,
  storyboardUrl,
}: {
  parts: Parts;
  /** Null for all videos: then parts have percentages instead of times. */
  durationS: number | null;
  storyboardUrl: string | null;
}) {
  const { box, width } = useWidth();
  const frame: ChartFrame = {
    width,
    height,
    left: 48,
    right: width - 8,
    top: 12,
    bottom: height - 26,
  };
  const { at, slider, plot } = useSelection(binCount, frame, (share) =>
    Math.floor(share * binCount),
  );
  const last = binCount - 1;
  const xOf = (index: number) =>
    frame.left + ((index + 0.5) / binCount) * (frame.right - frame.left);
  const replayScale = niceScale(Math.max(0.01, ...parts.replays) * 100);
  const lineOf = (values: readonly number[], max: number) =>
    values
      .map((value, index) => {
        const y = frame.bottom - (value / max) * (frame.bottom - frame.top);
        return `${xOf(index).toFixed(1)},${y.toFixed(1)}`;
      })
      .join(" ");
  const nameOf = (index: number) =>
    durationS === null ? `${index}%` : formatDuration((index * durationS) / binCount);
  const textOf = (index: number) =>
    `${nameOf(index)}: ${percent(parts.watching[index] ?? 0)} watching, ${percent(
      parts.replays[index] ?? 0,
    )} replayed`;

  return (
    <figure className="min-w-0">
      {/* A slider, because screen readers announce its value. */}
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label="Watched parts"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? 0}
        aria-valuetext={at === null ? "Use the arrow keys to read the curves." : textOf(at)}
        className="relative rounded-md"
        {...slider}
      >
        {storyboardUrl === null || durationS === null ? null : (
          <StoryboardStrip
            url={storyboardUrl}
            startS={0}
            endS={durationS}
            width={frame.right - frame.left}
            className="absolute opacity-35"
            style={{ left: frame.left, top: frame.top, height: frame.bottom - frame.top }}
          />
        )}
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          className="relative block max-w-full touch-pan-y"
          {...plot}
        >
          <Axes frame={frame} scale={{ max: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }} format={percent} />
          <g className="tabular fill-ink-11 text-xs">
            {[0, 25, 50, 75, 99].map((index) => (
              <text
                key={index}
                x={index === 0 ? frame.left : index === last ? frame.right : xOf(index)}
                y={height - 6}
                textAnchor={index === 0 ? "start" : index === last ? "end" : "middle"}
              >
                {nameOf(index === last ? binCount : index)}
              </text>
            ))}
          </g>
          <polyline
            points={lineOf(parts.replays, replayScale.max / 100)}
            fill="none"
            className="stroke-ink-11"
            strokeWidth={2}
            strokeDasharray="5 3"
            strokeLinejoin="round"
          />
          <polyline
            points={lineOf(parts.watching, 1)}
            fill="none"
            className="stroke-lamp-text"
            strokeWidth={2.5}
            strokeLinejoin="round"
          />
          {at === null ? null : (
            <line
              x1={xOf(at)}
              x2={xOf(at)}
              y1={frame.top}
              y2={frame.bottom}
              className="stroke-ink-8"
              strokeDasharray="3 3"
            />
          )}
        </svg>
        {at === null ? null : (
          <div
            aria-hidden="true"
            className="popup pointer-events-none absolute top-2 px-3 py-2 whitespace-nowrap"
            // Placed on the side with more space.
            style={at > binCount / 2 ? { right: width - xOf(at) + 12 } : { left: xOf(at) + 12 }}
          >
            <div className="text-xs text-ink-11">{nameOf(at)}</div>
            <div className="tabular font-semibold">{percent(parts.watching[at] ?? 0)} watching</div>
            <div className="tabular">{percent(parts.replays[at] ?? 0)} replayed</div>
          </div>
        )}
      </div>
      <figcaption className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-ink-11">
        <Key className="border-lamp-text" text="Share still watching" />
        <Key
          className="border-dashed border-ink-11"
          text={`Share that replayed it (top of the chart: ${replayScale.max}%)`}
        />
      </figcaption>
      <PartTable parts={parts} nameOf={nameOf} />
    </figure>
  );
}

const Key = ({ className, text }: { className: string; text: string }) => (
  <span className="inline-flex items-center gap-2">
    <span aria-hidden="true" className={`w-6 border-t-2 ${className}`} />
    {text}
  </span>
);

function PartTable({ parts, nameOf }: { parts: Parts; nameOf: (index: number) => string }) {
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-small items-center text-ink-11 hover:text-ink-12 hover:underline">
        Show as table
      </summary>
      <table className="tabular w-full max-w-xl text-start">
        <thead className="text-ink-11">
          <tr>
            <th scope="col" className="py-1 text-start font-medium">
              From
            </th>
            <th scope="col" className="py-1 text-end font-medium">
              Watching
            </th>
            <th scope="col" className="py-1 text-end font-medium">
              Replayed
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.watching.map((share, index) => (
            <tr key={`${index}`} className="border-t border-line">
              <th scope="row" className="py-1 text-start font-normal">
                {nameOf(index)}
              </th>
              <td className="py-1 text-end">{percent(share)}</td>
              <td className="py-1 text-end">{percent(parts.replays[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
