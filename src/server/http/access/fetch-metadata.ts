import type { IncomingHttpHeaders } from "node:http";

// Browsers describe each request in `Sec-Fetch-` headers, which scripts can neither set nor remove
// (https://www.w3.org/TR/fetch-metadata/). Safari before 16.4 sends none, and no browser does over
// plain http, except to localhost.

/**
 * Returns whether a browser sent the request, as far as its headers show. Node's `fetch` sends
 * `Sec-Fetch-Mode` too, but never the `Sec-Fetch-Site` that browsers send with it.
 */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  if (headers["sec-fetch-mode"] === undefined) return false;
  const looksLikeNode = headers["accept-language"] === "*" || headers["user-agent"] === "node";
  return headers["sec-fetch-site"] !== undefined || !looksLikeNode;
}

/** Returns whether a browser loads a document into a tab or window, not into a frame. */
export const isDocumentLoad = (headers: IncomingHttpHeaders): boolean =>
  headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";

/** Returns whether a browser loads a document into a frame. */
export const isFrameLoad = ({ "sec-fetch-dest": destination }: IncomingHttpHeaders): boolean =>
  destination === "iframe" || destination === "frame";
