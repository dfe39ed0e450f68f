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
