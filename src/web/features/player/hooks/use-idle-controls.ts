import { useCallback, useEffect, useRef, useState } from "react";

const idleMs = 2600;

/** Hides the controls while the video plays and the visitor does nothing. */
export function useIdleControls(canHide: boolean): {
  isHidden: boolean;
  /** Shows the controls and restarts the delay. Call it when the visitor does something. */
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
    if (canHide) wake();
    return () => window.clearTimeout(timer.current);
  }, [canHide, wake]);

  return { isHidden: canHide && isIdle, wake, hide };
}
