const firstMs = 0;
const endMs = Date.UTC(10_000, 0, 1);

/**
 * Returns whether an instant is within the years 1970 to 9999 UTC. ISO 8601 writes other years
 * differently, which no response allows. A zone offset may cross the boundary.
 */
export function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= firstMs && ms < endMs;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns whether a text is an id. Addresses accept an id or a slug in the same place, so a slug
 * can't look like an id.
 */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/**
 * Returns the origin of a site's address without a trailing slash, such as https://video.example.
 * Returns null if the text has more than that: credentials, a path, a query or a fragment. Both
 * `SITE_URL` and the setting follow this rule, because links are made by appending a path.
 */
export function siteOrigin(text: string): string | null {
  // URL parsers also accept backslashes, missing slashes and control characters.
  if (!/^https?:\/\/[^\s\\/?#@]+\/?$/i.test(text)) return null;
  return URL.parse(text)?.origin ?? null;
}
