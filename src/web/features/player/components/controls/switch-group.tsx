import { useState } from "react";
import { isDataSaverOn, setDataSaver } from "#web/lib/data-saver.ts";
import { preferences } from "../../core/browser-player.ts";
import type { Player } from "../../core/player.ts";
import { useRemotePlayback } from "../../hooks/use-remote-playback.ts";
import { playerMessages as messages } from "../../messages.ts";

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
export function SwitchGroup({ player, hasNext }: { player: Player; hasNext: boolean }) {
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
