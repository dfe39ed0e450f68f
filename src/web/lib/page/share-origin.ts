import type { Site } from "./site.ts";

const isLoopback = (hostname: string) =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");

/**
 * Returns the origin of links that visitors share. A site without a URL in Settings or `SITE_URL`
 * only knows localhost, so this returns the origin in the visitor's address bar. Only the browser
 * knows it, because pages are cached for everyone and `Host` headers can be forged.
 */
export function shareOrigin(site: Pick<Site, "url">): string {
  const own = URL.parse(site.url);
  return own === null || isLoopback(own.hostname) ? window.location.origin : own.origin;
}
