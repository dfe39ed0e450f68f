import {
  CaptionsIcon,
  MaximizeIcon,
  MinimizeIcon,
  PauseIcon,
  PictureInPicture2Icon,
  PlayIcon,
  RectangleHorizontalIcon,
  RotateCcwIcon,
  Volume1Icon,
  Volume2Icon,
  VolumeXIcon,
  SettingsIcon,
} from "lucide-react";
import {
  type ReactNode,
  type Ref,
  type CSSProperties,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { formatDuration } from "#web/lib/format/format.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { Player } from "../../core/player.ts";
import { usePlayerState } from "../../use-player-state.ts";
import { useLazyPopup } from "../use-lazy-popup.ts";
import { SeekBar } from "./seek-bar.tsx";
// Also styles the list of settings, because styles loaded with its own module would come too late.
import "./settings-menu.css";
import "./volume-control.css";
import "./player-controls.css";

const messages = inLanguage("player");

interface PlayerControlsProps {
  player: Player;
  storyboardUrl: string | null;
  isFullscreen: boolean;
  onFullscreen: () => void;
  /** Null if the page has no theater mode. */
  theatre: { isOn: boolean; toggle: () => void } | null;
  hasNext: boolean;
  onMenu: (isOpen: boolean) => void;
  /** Called when a press on the controls begins and ends. A finger that doesn't move sends no other events. */
  wake: () => void;
}

function PlayButton({ player }: { player: Player }) {
  const isPaused = usePlayerState(player, (state) => state.isPaused);
  const isEnded = usePlayerState(player, (state) => state.isEnded);
  const label = isEnded ? messages.replay : isPaused ? messages.play : messages.pause;
  return (
    <ControlButton label={label} hotkey="K" onPress={() => player.toggle()}>
      {isEnded ? (
        <RotateCcwIcon />
      ) : isPaused ? (
        <PlayIcon fill="currentColor" />
      ) : (
        <PauseIcon fill="currentColor" />
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
  const { player, storyboardUrl, isFullscreen, onFullscreen, theatre, onMenu, wake } = props;
  const captions = usePlayerState(player, (state) => state.captions);
  const activeCaption = usePlayerState(player, (state) => state.activeCaption);
  const isPictureInPicture = usePlayerState(player, (state) => state.isPictureInPicture);
  return (
    <div className="player-controls" onPointerDown={wake} onPointerUp={wake}>
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
            <CaptionsIcon />
          </ControlButton>
        ) : null}
        <SettingsMenu player={player} hasNext={props.hasNext} onOpenChange={onMenu} />
        {document.pictureInPictureEnabled ? (
          <ControlButton
            label={messages.pictureInPicture}
            hotkey="I"
            isPressed={isPictureInPicture}
            className="player-wide-only"
            onPress={() => player.togglePictureInPicture()}
          >
            <PictureInPicture2Icon />
          </ControlButton>
        ) : null}
        {theatre === null || isFullscreen ? null : (
          <ControlButton
            label={messages.theatre}
            hotkey="T"
            isPressed={theatre.isOn}
            className="player-desktop-only"
            onPress={theatre.toggle}
          >
            <RectangleHorizontalIcon />
          </ControlButton>
        )}
        <ControlButton
          label={isFullscreen ? messages.leaveFullscreen : messages.fullscreen}
          hotkey="F"
          onPress={onFullscreen}
        >
          {isFullscreen ? <MinimizeIcon /> : <MaximizeIcon />}
        </ControlButton>
      </div>
    </div>
  );
}

interface ControlButtonProps {
  label: string;
  /** Keyboard shortcut, shown in the tooltip. */
  hotkey?: string;
  onPress: () => void;
  children: ReactNode;
  isPressed?: boolean;
  /** Set if the button opens a menu. */
  isExpanded?: boolean;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

/** Button of the control bar, 44 px in size. Its tooltip contains the name and the shortcut. */
function ControlButton(props: ControlButtonProps) {
  const { label, hotkey, onPress, children, isPressed, isExpanded, className, ref } = props;
  return (
    <button
      ref={ref}
      type="button"
      className={`player-button ${className ?? ""}`}
      aria-label={label}
      title={hotkey === undefined ? label : `${label} (${hotkey})`}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      aria-haspopup={isExpanded === undefined ? undefined : "menu"}
      aria-keyshortcuts={hotkey}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/**
 * Mute button and volume slider. Touch devices have no slider, because they set the volume
 * themselves.
 */
export function VolumeControl({ player }: { player: Player }) {
  const isMuted = usePlayerState(player, (state) => state.isMuted);
  const volume = usePlayerState(player, (state) => state.volume);
  const isSilent = isMuted || volume === 0;
  const level = isMuted ? 0 : volume;
  return (
    <div className="player-volume">
      <ControlButton
        label={isSilent ? messages.unmute : messages.mute}
        hotkey="M"
        onPress={() => player.setMuted(!isSilent)}
      >
        {isSilent ? <VolumeXIcon /> : volume < 0.5 ? <Volume1Icon /> : <Volume2Icon />}
      </ControlButton>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={level}
        aria-label={messages.volume}
        aria-valuetext={`${Math.round(level * 100)}%`}
        className="player-volume-slider"
        style={{ "--share": `${level * 100}%` } as CSSProperties}
        onChange={(event) => player.setVolume(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

const loadList = async () => (await import("./settings-list.tsx")).SettingsList;

/** The settings button, and its menu while it is open. */
function SettingsMenu({
  player,
  hasNext,
  onOpenChange,
}: {
  player: Player;
  hasNext: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Loads the list when a pointer or the focus reaches the button.
  const { Lazy: SettingsList, prepare } = useLazyPopup(loadList, isOpen, setOpen);
  const isShown = isOpen && SettingsList !== null;
  useEffect(() => {
    onOpenChange(isShown);
    // An ad break removes the controls.
    return () => onOpenChange(false);
  }, [isShown, onOpenChange]);
  const close = useCallback((isByKey: boolean) => {
    setOpen(false);
    if (isByKey) button.current?.focus();
  }, []);

  return (
    <div className="player-settings" onPointerEnter={prepare} onFocus={prepare}>
      <ControlButton
        ref={button}
        label={messages.settings}
        isExpanded={isOpen}
        onPress={() => (isOpen ? close(true) : setOpen(true))}
      >
        <SettingsIcon />
      </ControlButton>
      {isShown ? (
        <SettingsList player={player} hasNext={hasNext} button={button} onClose={close} />
      ) : null}
    </div>
  );
}
