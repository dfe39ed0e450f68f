import {
  useEffect,
  useEffectEvent,
  useId,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { PauseIcon, PlayIcon, StepBackIcon, StepForwardIcon } from "lucide-react";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { keyOf } from "#web/lib/key-of.ts";
import { isClaimed, isTyping } from "#web/lib/key-targets.ts";
import { IconButton } from "../../shared/icon-button.tsx";
import { readSeconds, secondsText } from "../../shared/time-text.ts";
import type { Passage } from "./passages.ts";
import { Strip, type RulerMark } from "./strip.tsx";
import { useFrameS, useRulerPlayer } from "./use-ruler-player.ts";

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
    arrowleft: () => seek(toFrame(positionS - 1)),
    arrowright: () => seek(toFrame(positionS + 1)),
    j: () => seek(toFrame(positionS - 10)),
    l: () => seek(toFrame(positionS + 10)),
    home: () => seek(0),
    end: () => seek(durationS),
    i: () => choose("startS", positionS),
    o: () => choose("endS", positionS),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event.target) || isClaimed(event.target, event.key))
      return;
    const action = keys[keyOf(event)];
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
