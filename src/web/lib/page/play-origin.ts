import type { DataRouter } from "react-router";
import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import { plainPath } from "../language/page-language.ts";

interface Address {
  pathname: string;
  search: string;
}

/** Page of this site that led to the current one. Null on the first page of a tab. */
let before: Address | null = null;

/** Records the page that each navigation leaves. */
export function notePages(router: DataRouter): void {
  let shown = router.state.location;
  router.subscribe(({ location }) => {
    if (location.pathname !== shown.pathname) before = shown;
    shown = location;
  });
}

function originOfPage({ pathname, search }: Address): PlayOrigin {
  const path = plainPath(pathname) ?? pathname;
  if (path === "/search" || new URLSearchParams(search).has("search")) return "search";
  const [, first = ""] = path.split("/");
  if (first === "" || first === "feed") return "feed";
  if (first === "video") return "related";
  if (first === "library" || first === "favorites") return "library";
  return first === "admin" || first === "auth" ? "direct" : "lists";
}

/** Returns what led the visitor to the current page. */
export function playOrigin(): PlayOrigin {
  if (before !== null) return originOfPage(before);
  const { pathname, search, origin } = window.location;
  if (/^(\/\w\w)?\/embed\//.test(pathname)) return "embed";
  if (new URLSearchParams(search).has("ref")) return "referral";
  const referrer = URL.parse(document.referrer);
  if (referrer === null) return "direct";
  return referrer.origin === origin ? originOfPage(referrer) : "external";
}
