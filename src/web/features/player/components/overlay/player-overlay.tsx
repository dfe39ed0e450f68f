import { PlayIcon, RotateCcwIcon, VolumeXIcon, FastForwardIcon, RewindIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { formatDuration } from "#web/lib/format/format.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { Player } from "../../core/player.ts";
import { chooseOverlay } from "../../core/player-state.ts";
import { usePlayerState } from "../../use-player-state.ts";
import { FaultOverlay, LoadingOverlay } from "./overlay-parts.tsx";
import "./player-notes.css";
import "./seek-flash.css";

const messages = inLanguage("player");

const resumeNoteMs = 6000;

function ResumeNote({ player }: { player: Player }) {
  const resumedAtS = usePlayerState(player, (state) => state.resumedAtS);
  const hasStarted = usePlayerState(player, (state) => state.hasStarted);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (resumedAtS === null || !hasStarted) return;
    const timer = setTimeout(() => setOver(true), resumeNoteMs);
    return () => clearTimeout(timer);
  }, [resumedAtS, hasStarted]);
  if (resumedAtS === null || isOver) return null;
  return (
    <div className="player-note" role="status">
      {messages.resumed(formatDuration(resumedAtS))}
      <button type="button" className="player-note-button" onClick={() => player.startOver()}>
        {messages.startOver}
      </button>
    </div>
  );
}

/** Overlays of the video. Shows loading, play or a fault, and notes about sound and resuming. */
export function PlayerOverlay({ player, posterUrl }: { player: Player; posterUrl: string | null }) {
  const overlay = usePlayerState(player, chooseOverlay);
  const hasFrame = usePlayerState(player, (state) => state.hasFrame && state.hasStarted);
  const isEnded = usePlayerState(player, (state) => state.isEnded);
  const fault = usePlayerState(player, (state) => state.fault);
  const isMutedByBrowser = usePlayerState(player, (state) => state.isMutedByBrowser);
  const adSlot = usePlayerState(player, (state) => state.adSlot);
  return (
    <>
      {overlay === "loading" ? <LoadingOverlay posterUrl={posterUrl} hasFrame={hasFrame} /> : null}
      {overlay === "play" ? (
        <div className="player-overlay player-paused">
          <button
            type="button"
            className="player-big-play"
            aria-label={isEnded ? messages.replay : messages.play}
            onClick={() => player.play()}
          >
            {isEnded ? (
              <RotateCcwIcon className="player-icon" />
            ) : (
              <PlayIcon className="player-icon" fill="currentColor" />
            )}
          </button>
        </div>
      ) : null}
      {overlay === "fault" && fault !== null ? (
        <FaultOverlay fault={fault} onRetry={() => player.retry()} />
      ) : null}
      {isMutedByBrowser && adSlot === null && !isEnded ? (
        <button
          type="button"
          className="player-pill player-unmute"
          onClick={() => player.setMuted(false)}
        >
          <VolumeXIcon className="player-icon" />
          {messages.tapToUnmute}
        </button>
      ) : null}
      <ResumeNote player={player} />
    </>
  );
}

export interface Flash {
  side: "left" | "right";
  seconds: number;
  /** Increases with each tap, so that a second tap restarts the animation. */
  key: number;
}

/** Lights up the side on which a double tap seeks. */
export function SeekFlash({ flash }: { flash: Flash | null }) {
  if (flash === null) return null;
  const { side, seconds, key } = flash;
  return (
    <div key={key} className={`player-flash player-flash-${side}`} role="status">
      {side === "left" ? (
        <RewindIcon className="player-icon" />
      ) : (
        <FastForwardIcon className="player-icon" />
      )}
      <span>{side === "left" ? messages.back(seconds) : messages.forward(seconds)}</span>
    </div>
  );
}
