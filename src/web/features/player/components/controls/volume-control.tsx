import { Volume1Icon, Volume2Icon, VolumeXIcon } from "lucide-react";
import type { CSSProperties } from "react";
import type { Player } from "../../core/player.ts";
import { usePlayerState } from "../../hooks/use-player-state.ts";
import { playerMessages as messages } from "../../messages.ts";
import { ControlButton } from "./control-button.tsx";
import "./volume-control.css";

/** Lucide draws the speaker first. Filling it makes it legible over a picture. */
const icon = "player-icon [&>:first-child]:fill-current";

/**
 * Mute button and volume slider. Touch devices have no slider, because they set the volume
 * themselves.
 */
export function VolumeControl({ player }: { player: Player }) {
  const isMuted = usePlayerState(player, (state) => state.isMuted);
  const volume = usePlayerState(player, (state) => state.volume);
  const isSilent = isMuted || volume === 0;
  const shown = isMuted ? 0 : volume;
  return (
    <div className="player-volume">
      <ControlButton
        label={isSilent ? messages.unmute : messages.mute}
        hotkey="M"
        onPress={() => player.setMuted(!isSilent)}
      >
        {isSilent ? (
          <VolumeXIcon className={icon} />
        ) : volume < 0.5 ? (
          <Volume1Icon className={icon} />
        ) : (
          <Volume2Icon className={icon} />
        )}
      </ControlButton>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={shown}
        aria-label={messages.volume}
        aria-valuetext={`${Math.round(shown * 100)}%`}
        className="player-volume-slider"
        style={{ "--share": `${shown * 100}%` } as CSSProperties}
        onChange={(event) => player.setVolume(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
