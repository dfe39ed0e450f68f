import { useEffect, useRef, type MouseEvent } from "react";

/**
 * Milliseconds in which a second tap likes the clip. A single tap waits this long before it pauses.
 */
const doubleMs = 250;

/** Position of the heart, and a number that changes with each like. */
export interface Heart {
  x: number;
  y: number;
  key: number;
}

/**
 * Handles presses on a clip. One press plays or pauses, two like it. A key press acts immediately.
 */
export function useClipTaps(actions: { toggle: () => void; like: (at: Heart) => void }) {
  const pending = useRef<number | undefined>(undefined);
  const likes = useRef(0);
  useEffect(() => () => window.clearTimeout(pending.current), []);
  return ({ detail, clientX, clientY, currentTarget }: MouseEvent<HTMLElement>) => {
    if (detail === 0) return actions.toggle();
    if (pending.current === undefined) {
      pending.current = window.setTimeout(() => {
        pending.current = undefined;
        actions.toggle();
      }, doubleMs);
      return;
    }
    window.clearTimeout(pending.current);
    pending.current = undefined;
    const { left, top } = currentTarget.getBoundingClientRect();
    likes.current += 1;
    actions.like({ x: clientX - left, y: clientY - top, key: likes.current });
  };
}
