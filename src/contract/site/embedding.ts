import { isPolicyOrigin, originLimits } from "#ads/contract/ad-origins.ts";

/** Which sites may embed videos: all of them, only those on a list, or none. */
export const siteEmbeddings = ["any", "listed", "nobody"] as const;
export type SiteEmbedding = (typeof siteEmbeddings)[number];

/** Rule of one video. `site` follows the setting of the site. */
export const videoEmbeddings = ["site", "any", "nobody"] as const;
export type VideoEmbedding = (typeof videoEmbeddings)[number];

export const maxEmbedOrigins = 100;

/** Returns who may embed a video. @param video absent for videos that follow the site. */
export const embeddersOf = (
  site: SiteEmbedding,
  video: VideoEmbedding | undefined,
): SiteEmbedding => (video === undefined || video === "site" ? site : video);

/** Returns which sites may frame the embed of a video. Others than `any` also allow this site. */
export function framersOf(
  site: { embedding: SiteEmbedding; embedOrigins: readonly string[] },
  video: VideoEmbedding | undefined,
): "everyone" | "nobody" | readonly string[] {
  const embedders = embeddersOf(site.embedding, video);
  if (embedders === "listed") return site.embedOrigins;
  return embedders === "any" ? "everyone" : "nobody";
}

/**
 * Returns a typed site as an origin: `Example.org/` is `https://example.org`, and `bücher.example`
 * is `https://xn--bcher-kva.example`.
 */
export function embedOriginOf(text: string): string {
  const typed = text.trim().toLowerCase().replace(/\/$/, "");
  const origin = /^https?:\/\//.test(typed) ? typed : `https://${typed}`;
  // Browsers send and compare international names in ASCII.
  return origin.replace(
    /(?<=\/\/)[\p{L}\p{M}\p{N}.*-]*\P{ASCII}[\p{L}\p{M}\p{N}.-]*(?=$|:)/u,
    (host) => URL.parse(`https://${host}`)?.hostname ?? host,
  );
}

export function isEmbedOrigin(origin: string): boolean {
  const [, port] = /:(\d+)$/.exec(origin) ?? [];
  const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536);
  // Proxies limit the size of headers, and one contains the whole list.
  const isShort = origin.length <= originLimits.length;
  return isPolicyOrigin(origin) && !origin.includes("..") && isPort && isShort;
}
