import type { DataRouter, RouterNavigateOptions, To } from "react-router";
import { canShareDocument, isBackOfficePage } from "#contract/site/page-zones.ts";
import { hasPageToken } from "#web/lib/page-token.ts";
import { pagePath, plainPath } from "#web/lib/language/page-language.ts";

/** Paths that aren't pages of this app. */
const notPages = /^\/(api|media|spots|assets)\/|\.(rss|xml|txt|webmanifest|svg|png|ico)$/;

/** Returns whether the router may open this path (without a language) in the current document. */
function staysInDocument(path: string): boolean {
  const here = plainPath(window.location.pathname);
  if (here === null) return false;
  // The page of a draft belongs to the back office, too.
  if (hasPageToken() && !isBackOfficePage(path)) return here === path;
  return canShareDocument(here, path);
}

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
export function followLinks(root: Document, router: { navigate: DataRouter["navigate"] }): void {
  root.addEventListener("click", (event) => {
    const found = isPlainClick(event) ? pageLink(event.target) : null;
    if (found === null) return;
    const { anchor, url, path } = found;
    const here = window.location;
    const isSamePage = url.pathname === here.pathname && url.search === here.search;
    // The browser itself scrolls to an anchor of the same page.
    if (isSamePage && url.hash !== "") return;
    if (!staysInDocument(path)) return;
    event.preventDefault();
    void router.navigate(path + url.search + url.hash, {
      state: anchor.hasAttribute("data-keep-scroll") ? { keepScroll: true } : null,
      replace: isSamePage || anchor.hasAttribute("data-replace"),
    });
  });
}

/**
 * Makes every navigation that a component starts load a new document if the page must not share the
 * current one (`page-zones.ts`).
 */
export function separateDocuments(router: { navigate: DataRouter["navigate"] }): void {
  const stay = router.navigate.bind(router);
  const go = (to: To | number | null, options?: RouterNavigateOptions): Promise<void> => {
    if (typeof to === "number") return stay(to);
    const { pathname = "", search = "", hash = "" } = typeof to === "object" ? (to ?? {}) : {};
    const here = plainPath(window.location.pathname) ?? window.location.pathname;
    const path = typeof to === "string" ? to : pathname + search + hash;
    const target = new URL(path, window.location.origin + here);
    if (staysInDocument(target.pathname)) return stay(to, options);
    const page = target.pathname + target.search + target.hash;
    if (options?.replace === true) window.location.replace(pagePath(page));
    else window.location.assign(pagePath(page));
    return Promise.resolve();
  };
  Object.assign(router, { navigate: go });
}
