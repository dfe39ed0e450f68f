import type { DataRouter } from "react-router";
import { plainPath } from "#web/lib/language/page-language.ts";

/** Paths that aren't pages of this app. */
const notPages = /^\/(api|media|spots|assets)\/|\.(rss|xml|txt|webmanifest|svg|png|ico)$/;

/**
 * Pages for passwords and the back office. They are loaded as new documents, so that scripts of
 * trusted ads on public pages no longer run.
 */
const protectedPages = /^\/(admin|auth|setup)(\/|$)/;

function isPlainClick(event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  return !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

function pageLink(
  target: EventTarget | null,
): { anchor: HTMLAnchorElement; url: URL; path: string } | null {
  if (!(target instanceof Element)) return null;
  const anchor = target.closest("a");
  if (!(anchor instanceof HTMLAnchorElement) || !anchor.hasAttribute("href")) return null;
  if ((anchor.target !== "" && anchor.target !== "_self") || anchor.hasAttribute("download"))
    return null;
  const url = URL.parse(anchor.href);
  // A page in another language is a new document.
  if (url === null || url.origin !== window.location.origin || anchor.hreflang !== "") return null;
  const path = plainPath(url.pathname);
  return path === null || notPages.test(path) ? null : { anchor, url, path };
}

/** Calls back with the path of a link that is hovered, focused or touched. */
export function watchIntent(root: Document, prepare: (pathname: string) => void): void {
  const look = (event: Event) => {
    const link = pageLink(event.target);
    if (link !== null) prepare(link.path);
  };
  for (const name of ["pointerover", "focusin", "touchstart"]) {
    root.addEventListener(name, look, { passive: true });
  }
}

/**
 * Handles clicks on all links. Pages use plain anchors, because one link component per anchor would
 * halve the number of pages that the server renders per second. A plain click becomes a router
 * navigation. `data-keep-scroll` on an anchor preserves the scroll position. `data-replace`
 * replaces the history entry.
 */
export function followLinks(root: Document, router: Pick<DataRouter, "navigate">): void {
  root.addEventListener("click", (event) => {
    const found = isPlainClick(event) ? pageLink(event.target) : null;
    if (found === null) return;
    const { anchor, url, path } = found;
    const here = window.location;
    const isSamePage = url.pathname === here.pathname && url.search === here.search;
    // The browser itself scrolls to an anchor of the same page.
    if (isSamePage && url.hash !== "") return;
    if (protectedPages.test(path) && !protectedPages.test(here.pathname)) return;
    event.preventDefault();
    void router.navigate(path + url.search + url.hash, {
      state: anchor.hasAttribute("data-keep-scroll") ? { keepScroll: true } : null,
      replace: isSamePage || anchor.hasAttribute("data-replace"),
    });
  });
}
