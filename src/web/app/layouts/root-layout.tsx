import { useEffect, useRef, useLayoutEffect } from "react";
import {
  Outlet,
  useNavigation,
  useLocation,
  NavigationType,
  useNavigationType,
} from "react-router";
import { Toaster } from "#web/components/ui/toast.tsx";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { replayEarlyClick } from "../first-frame/early-click.ts";
import { isFocusInDialog } from "#web/lib/open-dialog.ts";
import { entry, useEntryKey, documentLoadType, scrollToAnchor } from "#web/lib/page/location.ts";
import { noteScroll, recallScroll, saveScroll } from "#web/lib/lists/scroll-memory.ts";

const messages = inLanguage("layout");

const useRenderedEffect = typeof window === "undefined" ? useEffect : useLayoutEffect;

/** Returns whether a link with `data-keep-scroll` has set this in the history state. */
function keepsScroll(state: unknown): boolean {
  return typeof state === "object" && state !== null && "keepScroll" in state;
}

/**
 * Restores the scroll position on Back and Forward. A new page starts at its top or its anchor.
 * Positions are stored by history entry.
 */
function useScrollPositions(): void {
  const location = useLocation();
  const navigationType = useNavigationType();
  const key = useEntryKey();
  const isFirst = useRef(true);

  useEffect(() => {
    const { history } = window;
    const life = new AbortController();
    const { signal } = life;
    const enter = () => {
      history.scrollRestoration = "manual";
    };
    const leave = () => {
      saveScroll();
      history.scrollRestoration = "auto";
    };
    enter();
    // The browser may discard a hidden page without another event.
    document.addEventListener("visibilitychange", saveScroll, { signal });
    window.addEventListener("pagehide", leave, { signal });
    // The page may return from the back/forward cache.
    window.addEventListener("pageshow", enter, { signal });
    return () => life.abort();
  }, []);

  useRenderedEffect(() => {
    const note = () => noteScroll(key, window.scrollY);
    const wasFirst = isFirst.current;
    isFirst.current = false;
    // Documents that a link or a typed URL has loaded share the router's first key with others.
    const isNew = wasFirst && documentLoadType() === "navigate";
    entry.isReturn = navigationType === NavigationType.Pop && !isNew;
    const position = entry.isReturn ? recallScroll(key) : null;
    if (position !== null) window.scrollTo(0, position);
    else if (location.hash !== "") scrollToAnchor(location.hash);
    else if (wasFirst) note(); // The visitor may have scrolled before this script ran.
    else if (!keepsScroll(location.state)) window.scrollTo(0, 0);
    window.addEventListener("scroll", note, { passive: true });
    return () => window.removeEventListener("scroll", note);
    // Only a new history entry changes the position.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
}

/**
 * Moves the focus to the heading of the new page after a navigation, so that keyboard and screen
 * reader users continue at the start of the page. The first page and query changes don't move it.
 */
function usePageFocus(): void {
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

/** Thin line while the next page loads. CSS delays it, so that fast pages don't show it. */
function NavigationProgress() {
  const { state } = useNavigation();
  return (
    <div
      role="progressbar"
      aria-label={messages.loadingPage}
      hidden={state === "idle"}
      className="page-progress"
    />
  );
}

/** Wraps every page. Adds navigation progress, scroll positions and toasts. */
export function RootLayout() {
  usePageFocus();
  useScrollPositions();
  useEffect(replayEarlyClick, []);
  return (
    <>
      <NavigationProgress />
      <Outlet />
      <Toaster />
    </>
  );
}
