import {
  CaptionsIcon,
  MaximizeIcon,
  MinimizeIcon,
  PauseIcon,
  PictureInPicture2Icon,
  PlayIcon,
  RectangleHorizontalIcon,
  RotateCcwIcon,
} from "lucide-react";
import { formatDuration } from "#web/lib/format/format.ts";
import type { Player } from "../../core/player.ts";
import { usePlayerState } from "../../hooks/use-player-state.ts";
import { playerMessages as messages } from "../../messages.ts";
import { ControlButton } from "./control-button.tsx";
import { SeekBar } from "./seek-bar.tsx";
import { SettingsMenu } from "./settings-menu.tsx";
import { VolumeControl } from "./volume-control.tsx";
import "./player-controls.css";

interface PlayerControlsProps {
  player: Player;
  storyboardUrl: string | null;
  isFullscreen: boolean;
  onFullscreen: () => void;
  /** Null if the page has no theatre mode. */
  theatre: { isOn: boolean; toggle: () => void } | null;
  hasNext: boolean;
  onMenu: (isOpen: boolean) => void;
}

function PlayButton({ player }: { player: Player }) {
  const isPaused = usePlayerState(player, (state) => state.isPaused);
  const isEnded = usePlayerState(player, (state) => state.isEnded);
  const label = isEnded ? messages.replay : isPaused ? messages.play : messages.pause;
  return (
    <ControlButton label={label} hotkey="K" onPress={() => player.toggle()}>
      {isEnded ? (
        <RotateCcwIcon className="player-icon" />
      ) : isPaused ? (
        <PlayIcon className="player-icon" fill="currentColor" />
      ) : (
        <PauseIcon className="player-icon" fill="currentColor" />
      )}
    </ControlButton>
  );
}

function Time({ player }: { player: Player }) {
  const positionS = usePlayerState(player, (state) => Math.floor(state.positionS));
  const durationS = usePlayerState(player, (state) => state.durationS);
  return (
    <span className="player-time">
      {formatDuration(positionS)} <span>/ {formatDuration(durationS)}</span>
    </span>
  );
}

export function PlayerControls(props: PlayerControlsProps) {
  const { player, storyboardUrl, isFullscreen, onFullscreen, theatre, onMenu } = props;
  const captions = usePlayerState(player, (state) => state.captions);
  const activeCaption = usePlayerState(player, (state) => state.activeCaption);
  const isPictureInPicture = usePlayerState(player, (state) => state.isPictureInPicture);
  const hasPictureInPicture = document.pictureInPictureEnabled;
  return (
    <div className="player-controls">
      <SeekBar player={player} storyboardUrl={storyboardUrl} />
      <div className="player-bar">
        <PlayButton player={player} />
        <VolumeControl player={player} />
        <Time player={player} />
        <span className="player-gap" />
        {captions.length > 0 ? (
          <ControlButton
            label={messages.captions}
            hotkey="C"
            isPressed={activeCaption !== null}
            onPress={player.toggleCaptions}
          >
            <CaptionsIcon className="player-icon" />
          </ControlButton>
        ) : null}
        <SettingsMenu player={player} hasNext={props.hasNext} onOpenChange={onMenu} />
        {hasPictureInPicture ? (
          <ControlButton
            label={messages.pictureInPicture}
            hotkey="I"
            isPressed={isPictureInPicture}
            className="player-wide-only"
            onPress={() => player.togglePictureInPicture()}
          >
            <PictureInPicture2Icon className="player-icon" />
          </ControlButton>
        ) : null}
        {theatre === null || isFullscreen ? null : (
          <ControlButton
            label={theatre.isOn ? messages.leaveTheatre : messages.theatre}
            hotkey="T"
            isPressed={theatre.isOn}
            className="player-desktop-only"
            onPress={theatre.toggle}
          >
            <RectangleHorizontalIcon className="player-icon" />
          </ControlButton>
        )}
        <ControlButton
          label={isFullscreen ? messages.leaveFullscreen : messages.fullscreen}
          hotkey="F"
          onPress={onFullscreen}
        >
          {isFullscreen ? (
            <MinimizeIcon className="player-icon" />
          ) : (
            <MaximizeIcon className="player-icon" />
          )}
        </ControlButton>
      </div>
    </div>
  );
}
