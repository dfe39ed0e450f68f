import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { formatDuration } from "#web/lib/format/format.ts";
import { isDataSaverOn, setDataSaver } from "#web/lib/data-saver.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { Player } from "../../core/player.ts";
import { chapterAt } from "../../core/player-state.ts";
import { usePlayerState } from "../../use-player-state.ts";
import { preferences } from "../../core/preferences.ts";

const messages = inLanguage("player");

/** Line of the main menu that opens a submenu and shows its current choice. */
function GroupItem({ group, onOpen }: { group: ChoiceGroup; onOpen: () => void }) {
  const chosen = group.choices.find(({ isChosen }) => isChosen);
  return (
    <button
      type="button"
      role="menuitem"
      aria-haspopup="menu"
      aria-expanded={false}
      tabIndex={-1}
      data-group={group.key}
      className="player-menu-item"
      onClick={onOpen}
    >
      {group.title}
      <span className="player-menu-value">
        <bdi>{chosen?.label}</bdi>
        <ChevronRightIcon className="player-menu-arrow" />
      </span>
    </button>
  );
}

function Submenu({ group, onBack }: { group: ChoiceGroup; onBack: () => void }) {
  return (
    <>
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className="player-menu-item player-menu-back"
        onClick={onBack}
      >
        <ChevronLeftIcon className="player-menu-arrow" />
        {group.title}
      </button>
      <div role="group" aria-label={group.title} className="player-menu-group">
        {group.choices.map(({ key, label, hint, isChosen, choose }) => (
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
    </>
  );
}

function moveFocus(menu: HTMLElement, key: string): boolean {
  const items = [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
  const index = items.findIndex((item) => item === document.activeElement);
  const targets: Record<string, number> = {
    ArrowDown: (index + 1) % items.length,
    ArrowUp: (index - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  items[target]?.focus();
  return true;
}

/** Matches if the player takes the full width (as in player.css) or if touch rows wouldn't fit. */
const narrow = "(width < 40rem), (width < 64rem) and (pointer: coarse)";

interface SettingsListProps {
  player: Player;
  hasNext: boolean;
  /** Button that opened the menu. A press on it doesn't count as a press outside. */
  button: RefObject<HTMLButtonElement | null>;
  /** With `isByKey`, the focus returns to the button. */
  onClose: (isByKey: boolean) => void;
}

/**
 * Menu with stored preferences and with submenus for quality, speed, captions, sound and chapters.
 * Works with a pointer and with the keyboard.
 */
export function SettingsList({ player, hasNext, button, onClose }: SettingsListProps) {
  const menu = useRef<HTMLDivElement>(null);
  const groups = useChoiceGroups(player);
  const [openKey, setOpenKey] = useState<string | null>(null);
  const open = groups.find(({ key }) => key === openKey) ?? null;
  /** Submenu that was open last. */
  const leftKey = useRef<string | null>(null);
  const back = () => {
    leftKey.current = openKey;
    setOpenKey(null);
  };

  useEffect(() => {
    const items = menu.current;
    if (items !== null && "popover" in items && matchMedia(narrow).matches) {
      items.popover = "manual";
      items.showPopover();
    }
    const onPointerDown = (event: PointerEvent) => {
      if (!(event.target instanceof Node)) return;
      if (items?.contains(event.target) || button.current?.contains(event.target)) return;
      onClose(false);
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, [button, onClose]);

  useEffect(() => {
    const selector =
      openKey === null
        ? `[data-group="${leftKey.current}"]`
        : '[role="menuitemradio"][aria-checked="true"]';
    const items = menu.current;
    (
      items?.querySelector<HTMLElement>(selector) ??
      items?.querySelector<HTMLElement>("[role^=menuitem]")
    )?.focus();
  }, [openKey]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
    const focused = document.activeElement;
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      event.stopPropagation();
      onClose(true);
    } else if (event.key === (isRtl ? "ArrowLeft" : "ArrowRight")) {
      event.preventDefault();
      event.stopPropagation();
      if (focused instanceof HTMLElement && focused.dataset["group"] !== undefined) focused.click();
    } else if (event.key === (isRtl ? "ArrowRight" : "ArrowLeft")) {
      event.preventDefault();
      event.stopPropagation();
      if (open !== null) back();
    } else if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
  };

  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={messages.settings}
      className="player-menu"
      data-wide={open?.isWide === true || undefined}
      onKeyDown={onKeyDown}
      // The sheet covers the whole screen. A press beside its groups only closes it.
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget && currentTarget.matches(":popover-open")) onClose(false);
      }}
    >
      <div role="presentation" className="player-menu-groups">
        {open === null ? (
          <>
            {groups.map((group) => (
              <GroupItem key={group.key} group={group} onOpen={() => setOpenKey(group.key)} />
            ))}
            <SwitchGroup player={player} hasNext={hasNext} />
          </>
        ) : (
          <Submenu group={open} onBack={back} />
        )}
      </div>
    </div>
  );
}

const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

interface Choice {
  key: string;
  label: string;
  hint?: string;
  isChosen: boolean;
  choose: () => void;
}

/** Submenu of the settings. */
interface ChoiceGroup {
  key: string;
  title: string;
  choices: Choice[];
  /** True for a wider menu, because its labels are long. */
  isWide?: boolean;
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

function useSpeedChoices(player: Player): Choice[] {
  const rate = usePlayerState(player, (state) => state.rate);
  return rates.map((value): Choice => ({
    key: String(value),
    label: value === 1 ? messages.normal : `${value}×`,
    isChosen: rate === value,
    choose: () => player.setRate(value),
  }));
}

/** Returns the submenus that have something to choose. */
function useChoiceGroups(player: Player): ChoiceGroup[] {
  const sounds = useSoundChoices(player);
  const groups: ChoiceGroup[] = [
    { key: "quality", title: messages.quality, choices: useQualityChoices(player) },
    { key: "speed", title: messages.speed, choices: useSpeedChoices(player) },
    { key: "captions", title: messages.captions, choices: useCaptionChoices(player) },
    { key: "sound", title: messages.sound, choices: sounds.length > 1 ? sounds : [] },
    { key: "chapters", title: messages.chapters, choices: useChapterChoices(player), isWide: true },
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}

function Switch(props: { label: string; isOn: boolean; change: (isOn: boolean) => void }) {
  const [isOn, setOn] = useState(props.isOn);
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={isOn}
      tabIndex={-1}
      className="player-menu-item"
      onClick={() => {
        setOn(!isOn);
        props.change(!isOn);
      }}
    >
      {props.label}
      <span aria-hidden="true" className="player-switch" />
    </button>
  );
}

/** Switches that apply to every video, and the cast button. */
function SwitchGroup({ player, hasNext }: { player: Player; hasNext: boolean }) {
  const root = player.media.closest(".player");
  const cast = useRemotePlayback(player);
  return (
    <div role="group" aria-label={messages.more} className="player-menu-group">
      {hasNext ? (
        <Switch
          label={messages.autoNext}
          isOn={preferences.read().isNextWanted}
          change={(isNextWanted) => preferences.write({ isNextWanted })}
        />
      ) : null}
      <Switch label={messages.dataSaver} isOn={isDataSaverOn()} change={setDataSaver} />
      <Switch
        label={messages.fill}
        isOn={root?.hasAttribute("data-fill") === true}
        change={(isFilled) => {
          root?.toggleAttribute("data-fill", isFilled);
          preferences.write({ isFilled });
        }}
      />
      {cast === null ? null : (
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="player-menu-item"
          onClick={cast}
        >
          {messages.cast}
        </button>
      )}
    </div>
  );
}

/**
 * Returns a function that lets the visitor choose another screen, through Cast in Chromium or
 * AirPlay in Safari. Null if the browser has none for this video.
 */
function useRemotePlayback(player: Player): (() => void) | null {
  const { media } = player;
  const [isAvailable, setAvailable] = useState(false);
  useEffect(() => {
    const remote = "remote" in media ? media.remote : null;
    if (remote === null) return;
    let watched: number | null = null;
    let isOver = false;
    const stop = async (id: number) => {
      await remote.cancelWatchAvailability(id);
    };
    remote.watchAvailability(setAvailable).then(
      (id) => {
        watched = id;
        if (isOver) stop(id).catch(console.warn);
      },
      // The browser can't watch for screens, or this element may not use them.
      (error: unknown) => {
        if (!isOver)
          setAvailable(error instanceof DOMException && error.name === "NotSupportedError");
      },
    );
    return () => {
      isOver = true;
      if (watched !== null) stop(watched).catch(console.warn);
    };
  }, [media]);
  if (!isAvailable) return null;
  return () => {
    media.remote.prompt().catch((error: unknown) => console.warn("no other screen", error));
  };
}
