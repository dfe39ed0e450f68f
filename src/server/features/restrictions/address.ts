/** Paths that back-office users need to sign in or that proxies call. */
const operators =
  /^\/(?:admin|auth|setup|assets|api\/(?:admin|auth|account|settings)|healthz|readyz)(?:\/|$)/;
/** Paths open to everyone: who runs the site, what it stores, and how to complain. */
const legal = /^\/(?:terms|privacy|contact|source|takedown|removals)$/;
const legalCalls = /^\/api\/(?:forget|privacy|takedowns|pages\/[^/]+)$/;
const noPage = /^\/(?:api|media|assets|spots|\.well-known)(?:\/|$)/;
/** Files such as `robots.txt` and RSS feeds. */
const file = /^\/[^/]+\.[^/]+$|\/feed\.rss$/;

export const isOperatorPath = (place: string): boolean => operators.test(place);

export const isLegal = (place: string): boolean => legal.test(place) || legalCalls.test(place);

/** Returns whether the page at this path shows site content. */
export const isContentPage = (place: string): boolean =>
  !noPage.test(place) && !legal.test(place) && !file.test(place);
