import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** What a page's policy is made of, beyond the site's own origin. */
export interface PagePolicy {
  /** Hash sources (`'sha256-...'`) and origins that scripts may come from besides the site. */
  scriptSources: string[];
  /** Whether other sites may frame the page (the embed). */
  isFramable: boolean;
}

/**
 * Content Security Policy of the site's own pages. Pictures, video and beacons may come from
 * anywhere (logos, creatives and ad servers live elsewhere); scripts may not, and frames are our own.
 */
export function contentSecurityPolicy(policy: PagePolicy): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...policy.scriptSources].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' data: blob: https: http:",
    "connect-src 'self' data: blob: https: http:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    policy.isFramable ? "frame-ancestors *" : "frame-ancestors 'self'",
  ].join("; ");
}

/** Headers of every answer. Pages add their own policy; this one suits JSON, media and errors. */
export const baseHeaders: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

export const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

export function registerSecurityHeaders(app: FastifyInstance): void {
  // Before any handler, so that answers which are kept have them too.
  app.addHook("onRequest", async (request, reply) => {
    for (const [name, value] of Object.entries(baseHeaders)) void reply.header(name, value);
    if (request.url.startsWith("/api/")) void reply.header("content-security-policy", apiPolicy);
  });
}

/**
 * Strict transport security, on the socket's own answer: those from memory have it as well. Told
 * over plain HTTP it means nothing to a browser, so a forged header does no harm.
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
