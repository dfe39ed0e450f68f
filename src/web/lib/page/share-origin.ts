import type { Site } from "./site.ts";

const isLoopback = (hostname: string) =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");

/**
 * Returns the origin of links that visitors pass on. A site without an address in Settings or
 * `SITE_URL` calls itself localhost: then it is the address by which the visitor came. Only the
 * browser knows that one; pages are cached for everybody, and a `Host` header can say anything.
 */
export function shareOrigin(site: Pick<Site, "url">): string {
  const own = URL.parse(site.url);
  return own === null || isLoopback(own.hostname) ? window.location.origin : own.origin;
}
