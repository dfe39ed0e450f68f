import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { isFocusInWindow } from "../../lib/open-window.ts";

/**
 * After a navigation the focus goes to the heading of the new page, so that a keyboard or a screen
 * reader continues where the page begins. The first page and a change of the query leave it alone.
 */
export function usePageTurn(): void {
  const { pathname, hash } = useLocation();
  const shown = useRef<string | null>(null);

  useEffect(() => {
    const isTurn = shown.current !== null && shown.current !== pathname;
    shown.current = pathname;
    if (isTurn && hash === "") focusPage();
  }, [pathname, hash]);
}

function focusPage(): void {
  // One who has opened a window before the new page was drawn goes on typing there.
  if (isFocusInWindow()) return;
  const target =
    document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
  if (target === null) return;
  if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
  target.focus({ preventScroll: true });
}
