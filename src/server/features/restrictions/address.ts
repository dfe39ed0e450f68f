/** What users of the back office need to get in, and what proxies ask. */
const operators =
  /^\/(?:admin|auth|setup|assets|api\/(?:admin|auth|account|settings)|healthz|readyz)(?:\/|$)/;
/** Open to everyone: who runs the site, what it stores, and how to complain. */
const legal = /^\/(?:terms|privacy|contact|source|takedown|removals)$/;
const legalCalls = /^\/api\/(?:forget|privacy|takedowns|pages\/[^/]+)$/;
const noPage = /^\/(?:api|media|assets|spots|\.well-known)(?:\/|$)/;
/** Such as `robots.txt` and RSS feeds. */
const file = /^\/[^/]+\.[^/]+$|\/feed\.rss$/;

export const isForOperators = (place: string): boolean => operators.test(place);

export const isLegal = (place: string): boolean => legal.test(place) || legalCalls.test(place);

/** Whether a page with content of the site is at this place. */
export const isContentPage = (place: string): boolean =>
  !noPage.test(place) && !legal.test(place) && !file.test(place);
