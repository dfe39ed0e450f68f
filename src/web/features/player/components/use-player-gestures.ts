import { useRef, type PointerEvent } from "react";

interface GestureActions {
  /** True while a menu is open. A press on the video then only closes it. */
  isMenuOpen: boolean;
  /** Called on a mouse click. */
  onClick: () => void;
  onDoubleClick: () => void;
  /** Called when a finger taps. */
  onTap: () => void;
  /** Called on a second tap on the same side within 300 ms. */
  onDoubleTap: (side: "left" | "right") => void;
}

const doubleMs = 300;
/** Width of each side. The middle third belongs to neither. */
const sideShare = 1 / 3;

function sideOf(event: PointerEvent<HTMLElement>): "left" | "right" | "middle" {
  const box = event.currentTarget.getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  if (share < sideShare) return "left";
  return share > 1 - sideShare ? "right" : "middle";
}

/**
 * Handles presses on the video. A mouse click acts immediately, and a double click is reported too.
 * A double tap on one side seeks, and so does every further tap.
 */
export function usePlayerGestures(actions: GestureActions) {
  const last = useRef({ atMs: -Infinity, side: "", isTouch: false });
  const pending = useRef<number | undefined>(undefined);
  /** True while a press that began on the video stays on it. */
  const isPressed = useRef(false);

  return {
    onPointerDown: () => {
      isPressed.current = !actions.isMenuOpen;
    },
    onPointerLeave: () => {
      isPressed.current = false;
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || !isPressed.current) return;
      const side = sideOf(event);
      const isTouch = event.pointerType !== "mouse";
      const before = last.current;
      const isSecond =
        event.timeStamp - before.atMs < doubleMs &&
        before.isTouch === isTouch &&
        before.side === side;
      last.current = { atMs: event.timeStamp, side, isTouch };
      if (!isTouch) {
        if (isSecond) actions.onDoubleClick();
        actions.onClick();
        return;
      }
      window.clearTimeout(pending.current);
      if (isSecond && side !== "middle") {
        actions.onDoubleTap(side);
        return;
      }
      // A single tap waits for a possible second one, so that the controls don't flicker.
      pending.current = window.setTimeout(actions.onTap, side === "middle" ? 0 : doubleMs);
    },
  };
}
