import { useEffect, useLayoutEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { noteScroll, recallScroll, saveScroll } from "../../lib/scroll-memory.ts";

const useDrawnEffect = typeof window === "undefined" ? useEffect : useLayoutEffect;

/** What a link with `data-keep-scroll` leaves in the history's state. */
export interface ScrollState {
  keepScroll?: boolean;
}

function keepsScroll(state: unknown): boolean {
  return typeof state === "object" && state !== null && "keepScroll" in state;
}

/**
 * Back and forward return to the same place, a new page starts at its top or at its anchor. Keys
 * are those of the history's entries.
 */
export function useScrollPlaces(): void {
  const location = useLocation();
  const navigationType = useNavigationType();
  const key = location.key;
  const isFirst = useRef(true);

  useEffect(() => {
    window.history.scrollRestoration = "manual";
    const leave = () => {
      saveScroll();
      window.history.scrollRestoration = "auto";
    };
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);

  useDrawnEffect(() => {
    const note = () => noteScroll(key, window.scrollY);
    const wasFirst = isFirst.current;
    isFirst.current = false;
    const place = navigationType === NavigationType.Pop ? recallScroll(key) : null;
    if (place !== null) window.scrollTo(0, place);
    else if (location.hash !== "") scrollToAnchor(location.hash);
    else if (!wasFirst && !keepsScroll(location.state)) window.scrollTo(0, 0);
    window.addEventListener("scroll", note, { passive: true });
    return () => window.removeEventListener("scroll", note);
    // A new entry of the history is a new place; nothing else is.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
}

function scrollToAnchor(hash: string): void {
  let id = hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // Taken as it is.
  }
  document.getElementById(id)?.scrollIntoView();
}
