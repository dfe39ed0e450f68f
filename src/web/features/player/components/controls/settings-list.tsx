import { useEffect, useId, useRef, type KeyboardEvent, type RefObject } from "react";
import { formatDuration } from "#web/lib/format/format.ts";
import { chapterAt } from "../../core/chapter-at.ts";
import type { Player } from "../../core/player.ts";
import { usePlayerState } from "../../hooks/use-player-state.ts";
import { playerMessages as messages } from "../../messages.ts";
import { SwitchGroup } from "./switch-group.tsx";

const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

interface Choice {
  key: string;
  label: string;
  hint?: string;
  isChosen: boolean;
  choose: () => void;
}

/** More choices than this stand beside the other groups on a phone. */
const longCount = 6;

function Group({
  title,
  choices,
  isWide = false,
}: {
  title: string;
  choices: Choice[];
  isWide?: boolean;
}) {
  const id = useId();
  return (
    <div
      role="group"
      aria-labelledby={id}
      data-long={(!isWide && choices.length > longCount) || undefined}
      className="player-menu-group"
      data-wide={isWide || undefined}
    >
      <p id={id} className="player-menu-title">
        {title}
      </p>
      {choices.map(({ key, label, hint, isChosen, choose }) => (
        <button
          key={key}
          type="button"
          role="menuitemradio"
          aria-checked={isChosen}
          tabIndex={-1}
          className="player-menu-item"
          onClick={choose}
        >
          <bdi>{label}</bdi>
          {hint === undefined ? null : <small>{hint}</small>}
        </button>
      ))}
    </div>
  );
}

function useQualityChoices(player: Player): Choice[] {
  const qualities = usePlayerState(player, (state) => state.qualities);
  const selected = usePlayerState(player, (state) => state.selectedQuality);
  const activeLines = usePlayerState(player, (state) => state.activeLines);
  if (qualities.length === 0) return [];
  const fixed = qualities.toReversed().map(({ id, lines }): Choice => ({
    key: String(id),
    label: `${lines}p`,
    isChosen: selected === id,
    choose: () => player.selectQuality(id),
  }));
  const auto: Choice = {
    key: "auto",
    label: messages.auto,
    ...(selected === null && activeLines !== null ? { hint: `${activeLines}p` } : {}),
    isChosen: selected === null,
    choose: () => player.selectQuality(null),
  };
  return [auto, ...fixed];
}

function useCaptionChoices(player: Player): Choice[] {
  const captions = usePlayerState(player, (state) => state.captions);
  const active = usePlayerState(player, (state) => state.activeCaption);
  if (captions.length === 0) return [];
  const tracks = captions.map(({ id, label }): Choice => ({
    key: id,
    label,
    isChosen: active === id,
    choose: () => player.selectCaption(id),
  }));
  const off: Choice = {
    key: "off",
    label: messages.off,
    isChosen: active === null,
    choose: () => player.selectCaption(null),
  };
  return [off, ...tracks];
}

function useSoundChoices(player: Player): Choice[] {
  const sounds = usePlayerState(player, (state) => state.sounds);
  const active = usePlayerState(player, (state) => state.activeSound);
  return sounds.map(({ name }, index): Choice => ({
    key: name,
    label: name,
    isChosen: active === index,
    choose: () => player.selectSound(index),
  }));
}

function useChapterChoices(player: Player): Choice[] {
  const chapters = usePlayerState(player, (state) => state.chapters);
  const current = usePlayerState(player, (state) => chapterAt(state.chapters, state.positionS));
  return chapters.map((chapter): Choice => ({
    key: String(chapter.startS),
    label: chapter.title,
    hint: formatDuration(chapter.startS),
    isChosen: chapter === current,
    choose: () => player.seekTo(chapter.startS),
  }));
}

function moveFocus(menu: HTMLElement, key: string): boolean {
  const items = [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
  const at = items.findIndex((item) => item === document.activeElement);
  const targets: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  items[target]?.focus();
  return true;
}

/** Where the player takes the whole width, as in player.css, or rows for fingers are higher than it. */
const narrow = "(width < 40rem), (width < 64rem) and (pointer: coarse)";

interface SettingsListProps {
  player: Player;
  hasNext: boolean;
  /** The button that opened the menu: a press on it does not count as outside. */
  button: RefObject<HTMLButtonElement | null>;
  /** `isByKey`: the focus returns to the button. */
  onClose: (isByKey: boolean) => void;
}

/**
 * The menu of quality, speed, sound, captions, chapters and what the browser keeps, for pointer and
 * keyboard.
 */
export function SettingsList({ player, hasNext, button, onClose }: SettingsListProps) {
  const menu = useRef<HTMLDivElement>(null);
  const rate = usePlayerState(player, (state) => state.rate);
  const qualities = useQualityChoices(player);
  const sounds = useSoundChoices(player);
  const captions = useCaptionChoices(player);
  const chapters = useChapterChoices(player);
  const speeds = rates.map((value): Choice => ({
    key: String(value),
    label: value === 1 ? messages.normal : `${value}×`,
    isChosen: rate === value,
    choose: () => player.setRate(value),
  }));

  useEffect(() => {
    const items = menu.current;
    if (items !== null && "popover" in items && matchMedia(narrow).matches) {
      items.popover = "manual";
      items.showPopover();
    }
    items?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (!(event.target instanceof Node)) return;
      if (items?.contains(event.target) || button.current?.contains(event.target)) return;
      onClose(false);
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, [button, onClose]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      event.stopPropagation();
      onClose(true);
    } else if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
  };

  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={messages.settings}
      className="player-menu"
      onKeyDown={onKeyDown}
      // The sheet covers the whole screen: a press beside its groups only closes it.
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget && currentTarget.matches(":popover-open")) onClose(false);
      }}
    >
      <div role="presentation" className="player-menu-groups">
        {qualities.length > 0 ? <Group title={messages.quality} choices={qualities} /> : null}
        <Group title={messages.speed} choices={speeds} />
        {sounds.length > 1 ? <Group title={messages.sound} choices={sounds} /> : null}
        {captions.length > 0 ? <Group title={messages.captions} choices={captions} /> : null}
        {chapters.length > 0 ? <Group title={messages.chapters} choices={chapters} isWide /> : null}
        <SwitchGroup player={player} hasNext={hasNext} />
      </div>
    </div>
  );
}
