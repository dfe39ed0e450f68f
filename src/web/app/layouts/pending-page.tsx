import { useEffect, useState, type ComponentType } from "react";
import { useLocation } from "react-router";
import { holdScroll } from "#web/lib/lists/scroll-memory.ts";
import { useNextPath } from "#web/lib/page/next-path.ts";

/**
 * Milliseconds before a skeleton is shown. Faster pages replace the current one without a skeleton.
 */
const skeletonDelayMs = 250;

/** Returns the path of the page that has been loading for longer than the delay, or null. */
export function usePendingPath(): string | null {
  const { pathname } = useLocation();
  const target = useNextPath();
  const pending = target === pathname ? null : target;
  const [shown, setShown] = useState<string | null>(null);

  useEffect(() => {
    if (pending === null) {
      setShown(null);
      return;
    }
    const timer = setTimeout(() => {
      holdScroll(true);
      setShown(pending);
      window.scrollTo(0, 0);
    }, skeletonDelayMs);
    return () => {
      clearTimeout(timer);
      holdScroll(false);
    };
  }, [pending]);

  return pending === null ? null : shown;
}

/** Skeleton of the page that is loading. Its script is only fetched when it is needed. */
export function PendingPage({ pathname }: { pathname: string }) {
  const [Outline, setOutline] = useState<ComponentType<{ pathname: string }> | null>(null);
  useEffect(() => {
    let isCurrent = true;
    import("./page-outlines.tsx").then(
      ({ PageOutline }) => isCurrent && setOutline(() => PageOutline),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return Outline === null ? null : <Outline pathname={pathname} />;
}
