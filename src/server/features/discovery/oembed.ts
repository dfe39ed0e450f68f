import type { Language } from "#contract/site/languages.ts";
import { splitLanguage } from "#contract/site/translated-pages.ts";
import { pictureSize, posterBox, thumbnailBox } from "#contract/videos/picture-sizes.ts";
import { parseStartTime } from "#contract/videos/start-time.ts";
import type { Video } from "#contract/videos/videos.ts";
import { element, escapeXml } from "./xml.ts";

/** oEmbed 1.0 response for a video (oembed.com, 2.3). */
interface OEmbed {
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
const cacheAgeS = 3600;

/** Video at an address, and what its embed takes over from the address. */
interface AddressedVideo {
  slug: string;
  language: Language | null;
  /** Seconds at which a shared link starts. */
  startS: number | null;
}

/**
 * Returns the video that has its page, its embed or its clip of the feed at this address. Returns
 * null for other addresses. Old links to a site may still begin with http.
 */
export function videoOfAddress(address: string, siteUrl: string): AddressedVideo | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.host !== new URL(siteUrl).host) return null;
  const { language, url: path } = splitLanguage(url.pathname);
  const slug = /^\/(?:video|embed|feed)\/([^/]+)\/?$/.exec(path)?.[1];
  if (slug === undefined) return null;
  try {
    const startS = parseStartTime(url.searchParams.get("t"));
    return { slug: decodeURIComponent(slug), language, startS };
  } catch {
    return null;
  }
}

/**
 * Returns the largest frame that has the video's aspect ratio and is within the bounds. It is at
 * least 1 by 1.
 */
export function frameSize(
  video: Pick<Video, "width" | "height">,
  max: { width: number | undefined; height: number | undefined },
): { width: number; height: number } {
  const ratio = video.width !== null && video.height !== null ? video.width / video.height : 16 / 9;
  let width = Math.min(max.width ?? defaultWidth, defaultWidth * 4);
  let height = width / ratio;
  const maxHeight = max.height ?? (ratio < 1 ? defaultWidth : Infinity);
  if (height > maxHeight) {
    height = maxHeight;
    width = height * ratio;
  }
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

export function presentOEmbed(
  video: Video,
  /** `pages` is the prefix of page paths in the video's language. */
  site: { name: string; url: string; pages: string },
  max: { width: number | undefined; height: number | undefined },
  startS: number | null,
): OEmbed {
  const { width, height } = frameSize(video, max);
  const start = startS === null ? "" : `?t=${startS}`;
  const src = `${site.pages}/embed/${encodeURIComponent(video.slug)}${start}`;
  const pictures = [
    { address: video.thumbnail, size: pictureSize(video.thumbnail, video, thumbnailBox) },
    { address: video.posterUrl, size: pictureSize(video.posterUrl, video, posterBox) },
  ];
  const picture = pictures.find(({ size }) => size !== null);
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
    // The format requires the size with the address.
    ...(picture === undefined
      ? {}
      : {
          thumbnail_url: `${site.url}${picture.address}`,
          thumbnail_width: picture.size?.width,
          thumbnail_height: picture.size?.height,
        }),
  };
}

/** Returns the response as XML. Clients may ask for that. */
export function oEmbedXml(response: OEmbed): string {
  const parts = Object.entries<string | number | null>({ ...response }).map(([name, value]) =>
    element(name, value),
  );
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${parts.join("")}</oembed>\n`;
}
