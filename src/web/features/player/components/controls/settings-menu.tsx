import { SettingsIcon } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import type { Player } from "../../core/player.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";
import { playerMessages as messages } from "../../messages.ts";
import { ControlButton } from "./control-button.tsx";
// Also styles the list, because styles loaded with its own module would come too late.
import "./settings-menu.css";

const loadList = async () => (await import("./settings-list.tsx")).SettingsList;

/** The settings button, and its menu while it is open. */
export function SettingsMenu({
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
  const { Lazy: SettingsList, prepare } = useLazyComponent(loadList, isOpen);
  const change = useCallback(
    (next: boolean) => {
      setOpen(next);
      onOpenChange(next);
    },
    [onOpenChange],
  );
  const close = useCallback(
    (isByKey: boolean) => {
      change(false);
      if (isByKey) button.current?.focus();
    },
    [change],
  );

  return (
    <div className="player-settings" onPointerEnter={prepare} onFocus={prepare}>
      <ControlButton
        ref={button}
        label={messages.settings}
        isExpanded={isOpen}
        hasMenu
        onPress={() => (isOpen ? close(true) : change(true))}
      >
        <SettingsIcon className="player-icon" />
      </ControlButton>
      {isOpen && SettingsList !== null ? (
        <SettingsList player={player} hasNext={hasNext} button={button} onClose={close} />
      ) : null}
    </div>
  );
}
