import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { isPolicyOrigin } from "#ads/contract/ad-origins.ts";
import { isApiPath, targetOf } from "../request-target.ts";

/** Permissions of a page's policy beyond the site's own origin. */
interface PagePolicy {
  /** Sources of the site's own scripts: `'sha256-...'`. */
  scriptSources: readonly string[];
  /** Origins that trusted ads use for scripts and frames. Malformed ones are left out. */
  adOrigins: readonly string[];
  framedBy: FramedBy;
  /**
   * Origin of the site, for pages that other sites may frame in a sandbox. Such a frame has no
   * origin, and for WebKit `'self'` then allows nothing.
   */
  siteUrl?: string;
}

/** Sites that may frame a page: besides this site itself, the listed origins. */
export type FramedBy = "everyone" | "site" | "nobody" | readonly string[];

/**
 * Returns the directive of a Content Security Policy. Malformed origins are left out. Without the
 * directive, everyone may frame the page. `*` excludes the pages of apps, such as `capacitor:`.
 */
export function frameAncestors(framedBy: FramedBy): string[] {
  if (framedBy === "everyone") return [];
  if (framedBy === "nobody") return ["frame-ancestors 'none'"];
  const origins = framedBy === "site" ? [] : framedBy.filter(isPolicyOrigin);
  return [["frame-ancestors 'self'", ...origins].join(" ")];
}

/**
 * Returns the Content Security Policy of pages. Images, video and beacons may come from any origin,
 * because logos, creatives and ad servers do. Scripts and frames only come from the site and the
 * origins of trusted ads.
 */
export function contentSecurityPolicy(policy: PagePolicy): string {
  const adOrigins = policy.adOrigins.filter(isPolicyOrigin);
  const self = policy.siteUrl === undefined ? "'self'" : `'self' ${policy.siteUrl}`;
  return [
    `default-src ${self}`,
    [`script-src ${self}`, ...policy.scriptSources, ...adOrigins].join(" "),
    `style-src ${self} 'unsafe-inline'`,
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' data: blob: https: http:",
    "connect-src 'self' data: blob: https: http:",
    `font-src ${self} data:`,
    `worker-src ${self} blob:`,
    ["frame-src 'self'", ...adOrigins].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    ...frameAncestors(policy.framedBy),
  ].join("; ");
}

/** Headers of every response. */
export const baseHeaders: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

/** Headers of responses other than pages. */
export const apiHeaders = {
  ...baseHeaders,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

export function registerSecurityHeaders(app: FastifyInstance): void {
  // Set before any handler, so that cached responses include them.
  app.addHook("onRequest", (request, reply, done) => {
    void reply.headers(isApiPath(targetOf(request.raw).path) ? apiHeaders : baseHeaders);
    done();
  });
}

/**
 * Sets strict transport security on the raw response, so that cached ones include it. Browsers
 * ignore it over plain HTTP, so a forged `x-forwarded-proto` does no harm.
 */
export function requireTransportSecurity(
  request: IncomingMessage,
  response: ServerResponse,
  isBehindProxy: boolean,
): void {
  if (isBehindProxy && request.headers["x-forwarded-proto"] === "https") {
    response.setHeader("strict-transport-security", "max-age=31536000");
  }
}
