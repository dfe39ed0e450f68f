import { FastForwardIcon, RewindIcon } from "lucide-react";
import { playerMessages as messages } from "../../messages.ts";
import "./seek-flash.css";

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
