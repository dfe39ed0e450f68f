import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/**
 * Headers that determine who is calling which site. If one occurs twice, the programs along the
 * way may trust different values. `X-Forwarded-For` is exempt, because each proxy may add a line.
 * Cookies are exempt, because they may be split into several lines.
 */
const alwaysTrusted = [
  "authorization",
  "host",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
];

/** Matches two letters. CDNs send XX for an unknown country and T1 for Tor. */
const knownCountry = /^(?!XX)[A-Z]{2}$/;

/**
 * Returns the requester's country as two letters, or null if it is unknown.
 * @param geoHeader header in which a proxy sends it; null without one.
 */
export function countryOf(headers: IncomingHttpHeaders, geoHeader: string | null): string | null {
  if (geoHeader === null) return null;
  const country = String(headers[geoHeader] ?? "")
    .trim()
    .toUpperCase();
  return knownCountry.test(country) ? country : null;
}

/**
 * Creates a function that returns the first trusted header that a request contains more than once,
 * or null.
 * @param geoHeader header in which a proxy sends the visitor's country; null without one.
 */
export function createDoubledHeaderFinder(
  geoHeader: string | null,
): (request: IncomingMessage) => string | null {
  const trusted = new Set(geoHeader === null ? alwaysTrusted : [...alwaysTrusted, geoHeader]);
  const lengths = new Set([...trusted].map((name) => name.length));
  return ({ rawHeaders }) => {
    let seen = "";
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const raw = rawHeaders[at] ?? "";
      if (!lengths.has(raw.length)) continue;
      const name = raw.toLowerCase();
      if (!trusted.has(name)) continue;
      if (seen.includes(` ${name} `)) return `The ${name} header may be sent only once.`;
      seen += ` ${name} `;
    }
    return null;
  };
}
