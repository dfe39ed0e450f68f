import { useEffect, useRef } from "react";
import { hasOpenDialog } from "#web/lib/open-dialog.ts";
import { hotkeyAction, isClaimed, isHeld, isTyping, type HotkeyAction } from "../core/hotkeys.ts";

/** Handles the player's keys on the whole page, except while the visitor types in a field. */
export function useHotkeys(root: HTMLElement | null, act: (action: HotkeyAction) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const { activeElement, fullscreenElement } = document;
      const hasFocus =
        root !== null && (root.contains(activeElement) || fullscreenElement === root);
      const action = hotkeyAction(event, hasFocus);
      if (action === null || isClaimed(event.target, event.key)) return;
      // An open dialog has its own keys.
      if (hasOpenDialog()) return;
      event.preventDefault();
      if (!isHeld(event, action)) latest.current(action);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [root]);
}
