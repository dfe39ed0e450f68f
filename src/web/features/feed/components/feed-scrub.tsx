import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { formatDuration, spokenDuration } from "#web/lib/format/format.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { usePlayerState } from "#web/features/player/use-player-state.ts";
import "./feed-scrub.css";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("feed");

const stepS = 5;

/** Progress bar of a clip. It can be scrubbed with a pointer and with the keyboard. */
export function FeedScrub({ player, isActive }: { player: Player; isActive: boolean }) {
  const durationS = usePlayerState(player, (state) => state.durationS);
  const seconds = usePlayerState(player, (state) => Math.floor(state.positionS));
  const isPaused = usePlayerState(player, (state) => state.isPaused);
  const isSeeking = usePlayerState(player, (state) => state.isSeeking);
  const [heldS, setHeldS] = useState<number | null>(null);
  const bar = useRef<HTMLDivElement>(null);

  // Updates the bar on every frame, outside React. Screen readers get whole seconds.
  useEffect(() => {
    const element = bar.current;
    if (element === null) return;
    let frame = 0;
    const update = () => {
      const { durationS: whole } = player.store.get();
      const at = heldS ?? player.media.currentTime;
      element.style.setProperty("--share", String(whole > 0 ? Math.min(1, at / whole) : 0));
      if (isActive && !isPaused && heldS === null) frame = requestAnimationFrame(update);
    };
    update();
    return () => cancelAnimationFrame(frame);
  }, [player, isActive, isPaused, isSeeking, heldS, durationS]);

  const timeAt = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * durationS;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -stepS, ArrowRight: stepS };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    player.seekBy(step);
  };

  return (
    <div
      ref={bar}
      role="slider"
      tabIndex={isActive ? 0 : -1}
      aria-label={messages.position}
      aria-valuemin={0}
      aria-valuemax={Math.max(1, Math.round(durationS))}
      aria-valuenow={Math.min(seconds, Math.max(1, Math.round(durationS)))}
      aria-valuetext={messages.positionOf(spokenDuration(seconds), spokenDuration(durationS))}
      className="feed-scrub"
      data-held={heldS !== null || undefined}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeldS(timeAt(event));
      }}
      onPointerMove={(event) => {
        if (heldS !== null) setHeldS(timeAt(event));
      }}
      onPointerUp={(event) => {
        if (heldS === null) return;
        event.stopPropagation();
        player.seekTo(timeAt(event));
        setHeldS(null);
      }}
      onPointerCancel={() => setHeldS(null)}
    >
      <span className="feed-scrub-rail">
        <span className="feed-scrub-played" />
      </span>
      {heldS === null ? null : (
        <output className="feed-scrub-time">
          {formatDuration(heldS)} <span>/ {formatDuration(durationS)}</span>
        </output>
      )}
    </div>
  );
}
