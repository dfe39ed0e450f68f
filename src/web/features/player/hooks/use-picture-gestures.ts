import { useRef, type PointerEvent } from "react";

interface GestureActions {
  /** A click of the mouse. */
  onClick: () => void;
  onDoubleClick: () => void;
  /** A tap of a finger. */
  onTap: () => void;
  /** A second tap on the same side, soon after. */
  onDoubleTap: (side: "left" | "right") => void;
}

const doubleMs = 300;
/** The middle third belongs to neither side. */
const sideShare = 1 / 3;

function sideOf(event: PointerEvent<HTMLElement>): "left" | "right" | "middle" {
  const box = event.currentTarget.getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  if (share < sideShare) return "left";
  return share > 1 - sideShare ? "right" : "middle";
}

/**
 * Presses on the picture. A mouse acts at once and makes a double click full screen; a finger that
 * taps twice on one side seeks, and goes on seeking with every further tap.
 */
export function usePictureGestures(actions: GestureActions) {
  const last = useRef({ atMs: -Infinity, side: "", isTouch: false });
  const pending = useRef<number | undefined>(undefined);

  return {
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
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
      // One tap waits for the other: controls that blink would hide the picture.
      pending.current = window.setTimeout(actions.onTap, side === "middle" ? 0 : doubleMs);
    },
  };
}
