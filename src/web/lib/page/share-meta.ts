import type { Site } from "./site.ts";

interface Picture {
  url: string;
  width?: number;
  height?: number;
}

interface Shared {
  title: string;
  description: string | null;
  /** Absolute, like the other URLs. */
  url: string;
  type: "website" | "video.other";
  image?: Picture | null;
}

/** Returns "Home · Kinora". */
export function siteTitle(page: string, site: Site): string {
  return `${page} · ${site.name}`;
}

/** Converts a path of this site or any other URL to an absolute URL. */
export function absoluteUrl(site: Site, address: string): string {
  return URL.parse(address, `${site.url}/`)?.href ?? site.url;
}

/** Returns Open Graph and Twitter tags, for previews in chats and social networks. */
export function shareMeta(site: Site, shared: Shared): { name: string; content: string }[] {
  const { logoUrl, siteName } = site.settings;
  const logo = logoUrl === null ? null : { url: absoluteUrl(site, logoUrl) };
  // Kinora's own picture shows its name.
  const picture = { url: `${site.url}/social.png`, width: 1200, height: 630 };
  const large = shared.image ?? (logo === null && siteName === null ? picture : null);
  const { url, width, height }: Partial<Picture> = large ?? logo ?? {};
  return [
    { name: "og:site_name", content: site.name },
    { name: "og:type", content: shared.type },
    { name: "og:title", content: shared.title },
    ...(shared.description ? [{ name: "og:description", content: shared.description }] : []),
    { name: "og:url", content: shared.url },
    ...(url === undefined ? [] : [{ name: "og:image", content: url }]),
    ...(width === undefined ? [] : [{ name: "og:image:width", content: String(width) }]),
    ...(height === undefined ? [] : [{ name: "og:image:height", content: String(height) }]),
    { name: "twitter:card", content: large === null ? "summary" : "summary_large_image" },
    { name: "twitter:title", content: shared.title },
    ...(shared.description ? [{ name: "twitter:description", content: shared.description }] : []),
    ...(url === undefined ? [] : [{ name: "twitter:image", content: url }]),
  ];
}
