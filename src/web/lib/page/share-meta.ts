import type { Site } from "./site.ts";

interface Shared {
  title: string;
  description: string | null;
  /** Absolute, like the other URLs. */
  url: string;
  type: "website" | "video.other";
  imageUrl?: string | null;
  imageWidth?: number;
  imageHeight?: number;
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
  const image = shared.imageUrl ?? `${site.url}/social.png`;
  const isOwnImage = shared.imageUrl === undefined || shared.imageUrl === null;
  const width = isOwnImage ? 1200 : shared.imageWidth;
  const height = isOwnImage ? 630 : shared.imageHeight;
  return [
    { name: "og:site_name", content: site.name },
    { name: "og:type", content: shared.type },
    { name: "og:title", content: shared.title },
    ...(shared.description ? [{ name: "og:description", content: shared.description }] : []),
    { name: "og:url", content: shared.url },
    { name: "og:image", content: image },
    ...(width === undefined ? [] : [{ name: "og:image:width", content: String(width) }]),
    ...(height === undefined ? [] : [{ name: "og:image:height", content: String(height) }]),
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: shared.title },
    ...(shared.description ? [{ name: "twitter:description", content: shared.description }] : []),
    { name: "twitter:image", content: image },
  ];
}
