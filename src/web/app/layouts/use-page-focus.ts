import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { isFocusInDialog } from "#web/lib/open-dialog.ts";

/**
 * Moves the focus to the heading of the new page after a navigation, so that keyboard and screen
 * reader users continue at the start of the page. The first page and query changes don't move it.
 */
export function usePageFocus(): void {
  const { pathname, hash } = useLocation();
  const shown = useRef<string | null>(null);

  useEffect(() => {
    const hasNavigated = shown.current !== null && shown.current !== pathname;
    shown.current = pathname;
    if (hasNavigated && hash === "") focusPage();
  }, [pathname, hash]);
}

function focusPage(): void {
  // A dialog that was opened before the new page was rendered keeps the focus.
  if (isFocusInDialog()) return;
  const target =
    document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
  if (target === null) return;
  if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
  target.focus({ preventScroll: true });
}
