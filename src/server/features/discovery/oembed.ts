import type { Video } from "../../../contract/videos.ts";
import { element, escapeXml } from "./xml.ts";

/** The answer of oEmbed 1.0 for a video (oembed.com, 2.3). */
export interface OEmbed {
  version: "1.0";
  type: "video";
  title: string;
  provider_name: string;
  provider_url: string;
  html: string;
  width: number;
  height: number;
  cache_age: number;
  thumbnail_url?: string;
  thumbnail_width?: number;
  thumbnail_height?: number;
}

const defaultWidth = 640;
const thumbnail = { width: 640, height: 360 };
const cacheAgeS = 3600;

/** The slug behind the address of a video or of its embed on this site, or null. */
export function slugOfAddress(address: string, origins: readonly string[]): string | null {
  const url = URL.parse(address);
  if (url === null || !origins.includes(url.origin)) return null;
  const slug = /^\/(?:video|embed)\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (slug === undefined) return null;
  try {
    return decodeURIComponent(slug);
  } catch {
    return null;
  }
}

/** The largest frame of the video's own shape inside the bounds; both at least 1. */
export function frameSize(
  video: Pick<Video, "width" | "height">,
  most: { width: number | undefined; height: number | undefined },
): { width: number; height: number } {
  const ratio = video.width !== null && video.height !== null ? video.width / video.height : 16 / 9;
  let width = Math.min(most.width ?? defaultWidth, defaultWidth * 4);
  let height = width / ratio;
  const highest = most.height ?? (ratio < 1 ? defaultWidth : Infinity);
  if (height > highest) {
    height = highest;
    width = height * ratio;
  }
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

export function presentOEmbed(
  video: Video,
  site: { name: string; url: string },
  most: { width: number | undefined; height: number | undefined },
): OEmbed {
  const { width, height } = frameSize(video, most);
  const src = `${site.url}/embed/${encodeURIComponent(video.slug)}`;
  const picture = video.thumbnail;
  return {
    version: "1.0",
    type: "video",
    title: video.title,
    provider_name: site.name,
    provider_url: site.url,
    html: `<iframe src="${escapeXml(src)}" width="${width}" height="${height}" title="${escapeXml(video.title)}" frameborder="0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`,
    width,
    height,
    cache_age: cacheAgeS,
    ...(picture === null
      ? {}
      : {
          thumbnail_url: site.url + picture,
          thumbnail_width: thumbnail.width,
          thumbnail_height: thumbnail.height,
        }),
  };
}

/** The same as XML, which consumers may ask for. */
export function oEmbedXml(answer: OEmbed): string {
  const parts = Object.entries<string | number | null>({ ...answer }).map(([name, value]) =>
    element(name, value),
  );
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${parts.join("")}</oembed>\n`;
}
