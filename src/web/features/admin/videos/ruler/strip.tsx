import { useState, type PointerEvent } from "react";
import { ZoomInIcon, ZoomOutIcon } from "lucide-react";
import { keyOf } from "#web/lib/key-of.ts";
import { useWidth } from "../../charts/day-chart.tsx";
import { IconButton } from "../../shared/icon-button.tsx";
import { StoryboardStrip } from "../../shared/storyboard-strip.tsx";
import { secondsText } from "../../shared/time-text.ts";
import { gapsBetween, type Passage } from "./passages.ts";
import type { RulerPlayer } from "./use-ruler-player.ts";

/** Place on the ruler, such as a chapter. A press selects it. */
export interface RulerMark {
  atS: number;
  /** End of what is selected. Without it, only the position moves. */
  endS?: number;
  label: string;
}

/** Maximum zoom: the ruler then shows this many seconds. */
const minViewS = 4;

/** Stretch of the video that the ruler shows, and the buttons that change it. */
function useView(durationS: number, positionS: number) {
  const [zoom, setZoom] = useState(1);
  const [wantedS, setWantedS] = useState(0);
  const spanS = durationS / zoom;
  const clamp = (startS: number) => Math.min(Math.max(startS, 0), durationS - spanS);
  const isVisible = positionS >= wantedS && positionS <= wantedS + spanS;
  const startS = clamp(isVisible ? wantedS : positionS - spanS / 4);
  // Follows the position while it plays.
  if (startS !== wantedS) setWantedS(startS);
  const change = (factor: number) => {
    const next = Math.min(Math.max(zoom * factor, 1), Math.max(1, durationS / minViewS));
    setZoom(next);
    setWantedS(positionS - durationS / next / 2);
  };
  return { startS, endS: startS + spanS, spanS, zoom, change };
}

const percent = (share: number) => `${(share * 100).toFixed(4)}%`;

/** Pictures of the storyboard with the selection, its handles and marks. Zooms in and out. */
export function Strip(props: {
  player: RulerPlayer;
  durationS: number;
  frameS: number;
  passage: Passage;
  kept: readonly Passage[];
  marks: readonly RulerMark[];
  storyboardUrl: string | null;
  /** Moves an end of the selection, and shows its frame. */
  choose: (edge: keyof Passage, timeS: number) => void;
  onMark: (mark: RulerMark) => void;
}) {
  const { player, durationS, frameS, passage, kept, marks, choose } = props;
  const { box, width } = useWidth();
  const view = useView(durationS, player.positionS);
  const shareOf = (timeS: number) => (timeS - view.startS) / view.spanS;
  const timeAt = ({ clientX }: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    if (bounds === undefined || bounds.width === 0) return player.positionS;
    return view.startS + ((clientX - bounds.left) / bounds.width) * view.spanS;
  };
  const isInView = (timeS: number) => timeS >= view.startS && timeS <= view.endS;
  /** Follows a pointer until it is released. */
  const drag = (move: (timeS: number) => void) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      player.media.current?.pause();
      move(timeAt(event));
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) move(timeAt(event));
    },
  });
  const handle = (edge: keyof Passage, name: string) => {
    const move = (timeS: number) => choose(edge, timeS);
    const atS = passage[edge];
    const steps: Record<string, number> = {
      ...{ arrowleft: -frameS, arrowdown: -frameS, arrowright: frameS, arrowup: frameS },
      ...{ ",": -frameS, ".": frameS, pagedown: -1, pageup: 1, home: -durationS, end: durationS },
    };
    return (
      <div
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.round(durationS * 1000) / 1000}
        aria-valuenow={atS}
        aria-valuetext={secondsText(atS)}
        className={`absolute inset-y-0 z-10 w-11 cursor-ew-resize touch-none ${edge === "startS" ? "-translate-x-full" : ""} ${isInView(atS) ? "" : "invisible"}`}
        style={{ left: percent(shareOf(atS)) }}
        onKeyDown={(event) => {
          const stepS = steps[keyOf(event)];
          if (stepS === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          event.stopPropagation();
          move(atS + (event.shiftKey && Math.abs(stepS) === frameS ? Math.sign(stepS) : stepS));
        }}
        {...drag(move)}
      >
        <span
          className={`absolute inset-y-0 w-3 bg-lamp ${edge === "startS" ? "end-0 rounded-s-md" : "start-0 rounded-e-md"}`}
        />
      </div>
    );
  };
  const bar = (from: Passage) => ({
    left: percent(Math.max(0, shareOf(from.startS))),
    right: percent(Math.max(0, 1 - shareOf(from.endS))),
  });
  const overlaps = ({ startS, endS }: Passage) => startS < view.endS && endS > view.startS;

  return (
    <div className="grid gap-1">
      {/* Room for the handles, which are wider than they look. */}
      <div className="px-7">
        <div ref={box} className="relative h-16 rounded-md bg-ink-3">
          {/* The field and the keys move the position without a pointer. */}
          <div
            className="absolute inset-0 cursor-pointer touch-pan-y overflow-hidden rounded-md"
            {...drag((timeS) => player.seek(player.toFrame(timeS)))}
          >
            {props.storyboardUrl === null ? null : (
              <StoryboardStrip
                url={props.storyboardUrl}
                startS={view.startS}
                endS={view.endS}
                width={width}
                className="h-full"
              />
            )}
            {gapsBetween(kept, durationS)
              .filter(overlaps)
              .map((gap) => (
                <div
                  key={gap.startS}
                  data-removed={secondsText(gap.startS)}
                  className="absolute inset-y-0 border-x border-danger bg-black/75"
                  style={bar(gap)}
                />
              ))}
            {overlaps(passage) ? (
              <div className="absolute inset-y-0 border-y-4 border-lamp" style={bar(passage)} />
            ) : null}
            <div
              className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-white shadow-[0_0_0_1px_#000]"
              style={{ left: percent(shareOf(player.positionS)) }}
            />
          </div>
          {handle("startS", "Start of the selection")}
          {handle("endS", "End of the selection")}
        </div>
        {marks.length === 0 ? null : (
          <div className="relative h-8">
            {marks
              .filter(({ atS }) => isInView(atS))
              .map((mark) => (
                <button
                  key={`${mark.atS} ${mark.label}`}
                  type="button"
                  title={`${secondsText(mark.atS)} ${mark.label}`}
                  aria-label={`Select ${mark.label}, ${secondsText(mark.atS)}`}
                  className="absolute top-0 flex h-8 w-6 -translate-x-1/2 justify-center pt-1 text-lamp-text"
                  style={{ left: percent(shareOf(mark.atS)) }}
                  onClick={() => props.onMark(mark)}
                >
                  <span aria-hidden="true" className="size-2.5 rotate-45 bg-current" />
                </button>
              ))}
          </div>
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-ink-11">
        <span className="tabular">{secondsText(view.startS)}</span>
        <span className="flex">
          <IconButton
            Icon={ZoomOutIcon}
            label="Zoom out"
            disabled={view.zoom <= 1}
            onClick={() => view.change(0.5)}
          />
          <IconButton
            Icon={ZoomInIcon}
            label="Zoom in"
            disabled={view.spanS <= minViewS}
            onClick={() => view.change(2)}
          />
        </span>
        <span className="tabular">{secondsText(view.endS)}</span>
      </div>
    </div>
  );
}
