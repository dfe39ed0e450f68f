/** Lets crawlers fetch everything that a visitor sees, including images and videos. */
export function robotsText(siteUrl: string): string {
  return [
    "User-agent: *",
    "Allow: /api/oembed",
    ...["/admin", "/auth", "/setup", "/favorites", "/library", "/api/"].map(
      (path) => `Disallow: ${path}`,
    ),
    "",
    `Sitemap: ${siteUrl}/sitemap.xml`,
    "",
  ].join("\n");
}
