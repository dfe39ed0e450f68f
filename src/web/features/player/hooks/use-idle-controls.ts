import { useCallback, useEffect, useRef, useState } from "react";

const idleMs = 2600;

/**
 * Whether the controls are in the way: hidden after a while of stillness as long as something
 * plays, shown by a move, a key or the keyboard's focus.
 */
export function useIdleControls(mayHide: boolean): {
  isHidden: boolean;
  /** Somebody is there: shows the controls and starts the wait anew. */
  wake: () => void;
  hide: () => void;
} {
  const [isIdle, setIdle] = useState(false);
  const timer = useRef<number | undefined>(undefined);

  const wake = useCallback(() => {
    setIdle(false);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setIdle(true), idleMs);
  }, []);
  const hide = useCallback(() => {
    window.clearTimeout(timer.current);
    setIdle(true);
  }, []);

  useEffect(() => {
    if (mayHide) wake();
    return () => window.clearTimeout(timer.current);
  }, [mayHide, wake]);

  return { isHidden: mayHide && isIdle, wake, hide };
}
