import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from "react";
import {
  PauseIcon,
  PlayIcon,
  StepBackIcon,
  StepForwardIcon,
  ZoomInIcon,
  ZoomOutIcon,
} from "lucide-react";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { isClaimed, isTyping } from "#web/lib/key-targets.ts";
import { useWidth } from "../../charts/day-chart.tsx";
import { IconButton } from "../../shared/icon-button.tsx";
import { StoryboardStrip } from "../../shared/storyboard-strip.tsx";
import { readSeconds, secondsText } from "../../shared/time-text.ts";
import { gapsBetween, nextPlayed, type Passage } from "./passages.ts";

/** Place on the ruler, such as a chapter. A press selects it. */
export interface RulerMark {
  atS: number;
  /** End of what is selected. Without it, only the position moves. */
  endS?: number;
  label: string;
}

/** Length of a frame if the playlist has no frame rate. */
const usualFrameS = 1 / 30;
/** Maximum zoom: the ruler then shows this many seconds. */
const minViewS = 4;

/** Reads the length of a frame from the multivariant playlist. */
async function findFrameS(hlsUrl: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(hlsUrl, { signal });
  const rates = response.ok
    ? Array.from((await response.text()).matchAll(/FRAME-RATE=([\d.]+)/g), ([, rate]) =>
        Number(rate),
      )
    : [];
  const fps = Math.max(...rates);
  if (!(fps > 0) || !Number.isFinite(fps)) return usualFrameS;
  // Playlists have three decimals: 29.970 is 30000/1001.
  const exact = (Math.round(fps * 1.001) * 1000) / 1001;
  return 1 / (Math.abs(exact - fps) < 0.001 ? exact : fps);
}

function useFrameS(hlsUrl: string | null): number {
  const [frameS, setFrameS] = useState(usualFrameS);
  useEffect(() => {
    if (hlsUrl === null) return undefined;
    const leaving = new AbortController();
    findFrameS(hlsUrl, leaving.signal).then(setFrameS, () => undefined);
    return () => leaving.abort();
  }, [hlsUrl]);
  return frameS;
}

/**
 * Position of a video element that moves by frames.
 * @param kept what plays while `isPreview`; the rest is skipped.
 */
function useRulerPlayer(
  durationS: number,
  frameS: number,
  kept: readonly Passage[],
  firstS: number,
) {
  const media = useRef<HTMLVideoElement>(null);
  const [positionS, setPositionS] = useState(firstS);
  const [isPlaying, setPlaying] = useState(false);
  const [isPreview, setPreview] = useState(false);

  const seek = (timeS: number) => {
    const atS = Math.min(Math.max(timeS, 0), Math.max(0, durationS - frameS));
    setPositionS(atS);
    // Slightly after the start of the frame, because the times of frames are rounded.
    if (media.current !== null) media.current.currentTime = atS + frameS / 4;
  };
  const toFrame = (timeS: number) =>
    Math.min(Math.max(Math.round(Math.round(timeS / frameS) * frameS * 1000) / 1000, 0), durationS);
  const pause = () => media.current?.pause();
  const play = (preview: boolean) => {
    const element = media.current;
    if (element === null) return;
    setPreview(preview);
    const fromS = preview ? nextPlayed(kept, positionS) : positionS;
    if (fromS !== positionS) seek(fromS ?? kept[0]?.startS ?? 0);
    // Browsers reject this promise if the video is paused before it starts.
    element.play().catch(() => undefined);
  };
  const follow = useEffectEvent(() => {
    const element = media.current;
    if (element === null || element.seeking) return;
    const atS = element.currentTime;
    setPositionS(atS);
    if (!isPreview) return;
    const nextS = nextPlayed(kept, atS);
    if (nextS === null) pause();
    else if (nextS > atS) element.currentTime = nextS + frameS / 4;
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    let running = requestAnimationFrame(function step() {
      follow();
      running = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(running);
  }, [isPlaying]);

  return {
    media,
    positionS,
    isPlaying,
    isPreview: isPlaying && isPreview,
    seek,
    toFrame,
    step: (frames: number) => {
      pause();
      seek(toFrame(positionS + frames * frameS));
    },
    toggle: (preview = false) => (isPlaying && (isPreview || !preview) ? pause() : play(preview)),
    events: {
      // Replaces the poster, which is another frame.
      onLoadedMetadata: () => seek(positionS),
      onPlay: () => setPlaying(true),
      onPause: () => {
        setPlaying(false);
        setPositionS(toFrame(media.current?.currentTime ?? 0));
      },
      onEnded: () => setPlaying(false),
    },
  };
}

type RulerPlayer = ReturnType<typeof useRulerPlayer>;

/** Field for a time as `m:ss.mmm`. Reports it on Enter and when the field is left. */
export function TimeField({
  label,
  valueS,
  className = "w-32",
  onTime,
}: {
  label: string;
  valueS: number;
  className?: string;
  onTime: (timeS: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = typed === null ? valueS : readSeconds(typed);
  const report = () => {
    if (typed === null || read === null) return;
    setTyped(null);
    if (secondsText(read) !== secondsText(valueS)) onTime(read);
  };
  return (
    <TextField
      label={label}
      className={className}
      spellCheck={false}
      value={typed ?? secondsText(valueS)}
      error={read === null ? "Enter a time such as 1:02.500" : null}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={report}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          report();
        } else if (event.key === "Escape" && typed !== null) {
          event.stopPropagation();
          setTyped(null);
        }
      }}
    />
  );
}

interface TimeRulerProps {
  video: Pick<Video, "title" | "videoUrl" | "posterUrl" | "storyboardUrl" | "hlsUrl" | "duration">;
  /** Selected stretch, between the handles. */
  passage: Passage;
  onPassage: (passage: Passage) => void;
  /** What remains of the video. The rest is dimmed, and the preview skips it. */
  kept: readonly Passage[];
  /** Limits for the length of the selection, in seconds. */
  limits?: { minS: number; maxS: number };
  marks?: readonly RulerMark[];
  /** Drawn over the picture. */
  overlay?: ReactNode;
  /** Receives the current position, for example to crop at it. */
  onPosition?: (timeS: number) => void;
  /** Receives keys that the ruler doesn't use. */
  onKey?: (event: KeyboardEvent) => void;
  /** Buttons beside those that move the position. */
  children?: ReactNode;
}

/**
 * Player with a ruler: pictures of the storyboard, a selection with two handles, and marks. `,` and
 * `.` step by frames, `I` and `O` set the start and the end.
 */
export function TimeRuler(props: TimeRulerProps) {
  const { video, passage, onPassage, kept, marks = [], overlay, onPosition, onKey } = props;
  const durationS = video.duration;
  const frameS = useFrameS(video.hlsUrl);
  const player = useRulerPlayer(durationS, frameS, kept, passage.startS);
  const { media, positionS, seek, step, toggle, toFrame } = player;
  const { minS = frameS, maxS = durationS } = props.limits ?? {};
  const keysId = useId();
  const report = useEffectEvent((timeS: number) => onPosition?.(timeS));
  useEffect(() => report(positionS), [positionS]);

  const choose = (edge: keyof Passage, timeS: number) => {
    const atS = toFrame(timeS);
    const { startS, endS } = passage;
    if (edge === "startS") {
      const start = Math.min(atS, durationS - minS);
      const end = Math.min(Math.max(endS, start + minS), start + maxS, durationS);
      onPassage({ startS: Math.max(0, start), endS: end });
    } else {
      const end = Math.max(atS, minS);
      const start = Math.max(Math.min(startS, end - minS), end - maxS, 0);
      onPassage({ startS: start, endS: Math.min(end, durationS) });
    }
  };
  /** Shows the first frame inside, or the last one. */
  const chooseAndShow = (edge: keyof Passage, timeS: number) => {
    media.current?.pause();
    choose(edge, timeS);
    seek(toFrame(timeS) - (edge === "endS" ? frameS : 0));
  };
  const keys: Record<string, () => void> = {
    " ": () => toggle(),
    k: () => toggle(),
    p: () => toggle(true),
    ",": () => step(-1),
    ".": () => step(1),
    ArrowLeft: () => seek(toFrame(positionS - 1)),
    ArrowRight: () => seek(toFrame(positionS + 1)),
    j: () => seek(toFrame(positionS - 10)),
    l: () => seek(toFrame(positionS + 10)),
    Home: () => seek(0),
    End: () => seek(durationS),
    i: () => choose("startS", positionS),
    o: () => choose("endS", positionS),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event.target) || isClaimed(event.target, event.key))
      return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
    if (action === undefined || hasModifier) onKey?.(event);
    else {
      event.preventDefault();
      action();
    }
  };

  return (
    // Shortcuts for the controls inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="group"
      aria-label={`Player: ${video.title}`}
      aria-describedby={keysId}
      className="grid gap-3"
      onKeyDown={onKeyDown}
    >
      <div className="relative mx-auto w-fit max-w-full">
        {/* Editors choose passages by picture and sound, so captions aren't shown. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        <video
          ref={media}
          playsInline
          preload="auto"
          aria-label={`Video: ${video.title}`}
          src={video.videoUrl ?? undefined}
          poster={video.posterUrl ?? undefined}
          className="block max-h-[50dvh] min-h-40 max-w-full rounded-md bg-video"
          onClick={() => toggle()}
          {...player.events}
        />
        {overlay}
      </div>
      <Strip
        {...{ player, durationS, frameS, passage, kept, marks }}
        choose={chooseAndShow}
        storyboardUrl={video.storyboardUrl}
        onMark={(mark) => {
          seek(toFrame(mark.atS));
          if (mark.endS === undefined) return;
          const startS = toFrame(mark.atS);
          const endS = Math.min(Math.max(toFrame(mark.endS), startS + minS), startS + maxS);
          onPassage({ startS, endS: Math.min(endS, durationS) });
        }}
      />
      <div className="flex flex-wrap items-end gap-2">
        <TimeField
          label="Position"
          valueS={positionS}
          onTime={(timeS) => {
            media.current?.pause();
            seek(toFrame(timeS));
          }}
        />
        <div className="flex">
          <IconButton
            Icon={StepBackIcon}
            label="Previous frame"
            name="Previous frame (,)"
            onClick={() => step(-1)}
          />
          <IconButton
            Icon={player.isPlaying ? PauseIcon : PlayIcon}
            label={player.isPlaying ? "Pause" : "Play"}
            onClick={() => toggle()}
          />
          <IconButton
            Icon={StepForwardIcon}
            label="Next frame"
            name="Next frame (.)"
            onClick={() => step(1)}
          />
        </div>
        <Button onClick={() => toggle(true)}>
          {player.isPreview ? "Stop preview" : "Preview result"}
        </Button>
        {props.children}
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <TimeField
          label="Start"
          valueS={passage.startS}
          onTime={(timeS) => chooseAndShow("startS", timeS)}
        />
        <Button onClick={() => choose("startS", positionS)}>Start here</Button>
        <TimeField
          label="End"
          valueS={passage.endS}
          onTime={(timeS) => chooseAndShow("endS", timeS)}
        />
        <Button onClick={() => choose("endS", positionS)}>End here</Button>
        <p className="tabular pb-2.5 text-ink-11" role="status">
          {secondsText(passage.endS - passage.startS)} selected
        </p>
      </div>
      <p id={keysId} className="text-sm text-ink-11 max-sm:hidden">
        Keys: Space plays, P previews, comma and period step by one frame, arrow keys by one second,
        J and L by ten. I and O set the start and the end.
      </p>
    </div>
  );
}

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

function Strip(props: {
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
      ...{ ArrowLeft: -frameS, ArrowDown: -frameS, ArrowRight: frameS, ArrowUp: frameS },
      ...{ ",": -frameS, ".": frameS, PageDown: -1, PageUp: 1, Home: -durationS, End: durationS },
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
          const stepS = steps[event.key];
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
