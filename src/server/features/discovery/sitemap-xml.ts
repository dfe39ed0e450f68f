import { shorten } from "#contract/text.ts";
import { element, escapeXml } from "./xml.ts";

/** Video in the sitemap. Keys are storage keys below /media/. */
export interface SitemapVideo {
  id: string;
  slug: string;
  title: string;
  description: string | null;
  /** Null if the video has no picture. */
  pictureKey: string | null;
  /** Null if visitors can't play the file, or if hotlink rules refuse search engines. */
  progressiveKey: string | null;
  isMembersOnly: boolean;
  /** True if every site may show the embed. */
  isEmbeddable: boolean;
  isAdult: boolean;
  blockedCountries: string[];
  durationS: number;
  views: number;
  publishedAt: Date;
  updatedAt: Date;
  tags: string[] | null;
}

/** Maximum lengths. With about a kilobyte per entry, 45,000 entries stay below 50 MB. */
const longest = { title: 100, description: 240, tags: 8 } as const;
/** Maximum duration the format allows: 8 hours. */
const durationMaxS = 28_800;

export const urlSetHead =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">\n';
export const urlSetTail = "</urlset>\n";

/** Renders a page without a video. */
export function pageEntry(siteUrl: string, path: string): string {
  return `<url>${element("loc", siteUrl + path)}</url>\n`;
}

/**
 * Renders a video's page. The format requires a thumbnail, and a file or a player. Without them, it
 * is a plain page.
 */
export function videoEntry(siteUrl: string, video: SitemapVideo): string {
  const slug = encodeURIComponent(video.slug);
  const page = `${element("loc", `${siteUrl}/video/${slug}`)}${element("lastmod", video.updatedAt.toISOString())}`;
  const hasContent = video.progressiveKey !== null || video.isEmbeddable;
  if (video.pictureKey === null || !hasContent) return `<url>${page}</url>\n`;
  const title = shorten(video.title, longest.title);
  const durationS = Math.round(video.durationS);
  return [
    `<url>${page}<video:video>`,
    element("video:thumbnail_loc", `${siteUrl}/media/${video.pictureKey}`),
    element("video:title", title),
    element("video:description", shorten(video.description ?? "", longest.description) || title),
    element(
      "video:content_loc",
      video.progressiveKey === null ? null : `${siteUrl}/media/${video.progressiveKey}`,
    ),
    element("video:player_loc", video.isEmbeddable ? `${siteUrl}/embed/${slug}` : null),
    durationS >= 1 && durationS <= durationMaxS ? element("video:duration", durationS) : "",
    element("video:view_count", video.views),
    element("video:publication_date", video.publishedAt.toISOString()),
    // The schema prescribes this order.
    ...(video.tags ?? []).slice(0, longest.tags).map((tag) => element("video:tag", tag)),
    video.isAdult ? element("video:family_friendly", "no") : "",
    video.blockedCountries.length === 0
      ? ""
      : `<video:restriction relationship="deny">${escapeXml(video.blockedCountries.join(" "))}</video:restriction>`,
    video.isMembersOnly ? element("video:requires_subscription", "yes") : "",
    "</video:video></url>\n",
  ].join("");
}

/** Renders the index of parts for a site whose entries don't fit into one file. */
export function indexXml(siteUrl: string, parts: number): string {
  const entries = Array.from(
    { length: parts },
    (_, at) => `<sitemap>${element("loc", `${siteUrl}/sitemap-${at + 1}.xml`)}</sitemap>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</sitemapindex>\n`;
}
