import type { AdRow } from "../records/ads.repository.ts";

/** Matches addresses that a browser requests to display HTML, but not those of links. */
const loaded =
  /(?:\b(?:src|srcset|poster|data)\s*=\s*["']?\s*|\burl\(\s*["']?)((?:https?:)?\/\/[^\s"'>)]+)/gi;

/**
 * Returns the hosts that an ad uses: those of its picture, its VAST tag, the resources in its HTML,
 * and its allowed origins.
 */
export function hostsOfAd(
  ad: Pick<AdRow, "image_url" | "vast_tag_url" | "content" | "origins">,
): string[] {
  const inHtml = [...(ad.content ?? "").matchAll(loaded)].map((match) => match[1] ?? "");
  const hosts = [ad.image_url, ad.vast_tag_url, ...ad.origins, ...inHtml].map(hostOf);
  return [...new Set(hosts.filter((host) => host !== null))];
}

/** Returns the host of an absolute address; null for a path of this site or an invalid address. */
const hostOf = (address: string | null): string | null =>
  address !== null && /^(?:https?:)?\/\//i.test(address)
    ? (URL.parse(address, "https://unknown.invalid")?.host ?? null)
    : null;
