import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { Player } from "../../core/player.ts";
import { playerMessages as messages } from "../../messages.ts";
import { useChoiceGroups, type ChoiceGroup } from "./settings-choices.ts";
import { SwitchGroup } from "./switch-group.tsx";

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
    const wanted =
      openKey === null
        ? `[data-group="${leftKey.current}"]`
        : '[role="menuitemradio"][aria-checked="true"]';
    const items = menu.current;
    (
      items?.querySelector<HTMLElement>(wanted) ??
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
