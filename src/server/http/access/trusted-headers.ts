import type { IncomingMessage } from "node:http";

/**
 * Headers that decide who asks and for which site. Of two lines with one of them, two programs on the
 * way may believe different ones. `X-Forwarded-For` is a list to which each proxy may add a line, and
 * cookies of several lines are one list too.
 */
const alwaysTrusted = [
  "authorization",
  "host",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
];

/**
 * Creates a function that says which trusted header of a request has more than one line, or null.
 * @param geoHeader the header in which a proxy names the country of a visitor; null where none does.
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
