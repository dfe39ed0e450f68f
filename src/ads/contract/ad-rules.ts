import type { AdTrust, AdType } from "./ads.ts";
import { checkCreative } from "./creative-checks.ts";
import { listScripts } from "./html-sources.ts";

/**
 * Returns whether the value is an http(s) address or a path on this site. Nothing else may become a
 * link.
 */
export function isAdAddress(value: string): boolean {
  if (/^\/(?![/\\])/.test(value)) return !/[\u0000-\u0020]/.test(value);
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/[^/\\]/i.test(value);
}

interface Checked {
  type?: AdType;
  vastTagUrl?: string | null;
  startDate?: string | null;
  endDate?: string | null;
  isActive?: boolean;
  content?: string | null;
}

/**
 * Returns the violated rules that involve several fields. Merge a partial change into the stored ad
 * before the check.
 */
export function adIssues(ad: Checked): { path: string; message: string }[] {
  const issues: { path: string; message: string }[] = [];
  if (typeof ad.vastTagUrl === "string" && ad.type !== undefined && ad.type !== "video") {
    issues.push({
      path: "vastTagUrl",
      message: "A video or VAST URL is only allowed for video ads",
    });
  }
  const { startDate, endDate } = ad;
  if (typeof startDate === "string" && typeof endDate === "string" && endDate < startDate) {
    issues.push({ path: "endDate", message: "The end must be after the start" });
  }
  // An ad with such a problem can be saved but not activated.
  if (ad.isActive !== false) {
    for (const { isProblem, path, text } of checkCreative(ad)) {
      if (isProblem) issues.push({ path, message: `${text} Until then the ad cannot be active.` });
    }
  }
  return issues;
}

/**
 * Returns whether an isolated ad that lists no origin has scripts that mention other sites. Such
 * scripts often load more from further sites, which the frame then blocks.
 */
export function mightLackOrigins(ad: {
  trust: AdTrust;
  content: string | null;
  origins: readonly string[];
}): boolean {
  if (ad.trust === "page" || ad.origins.length > 0) return false;
  return listScripts(ad.content ?? "").some(
    ({ src, code }) => src !== null || /\/\/[\w-]+\./.test(code),
  );
}

/** Returns clicks per impression as a percentage with two decimals. */
export function clickThroughRate(clicks: number, impressions: number): number {
  return impressions === 0 ? 0 : Math.round((clicks / impressions) * 10_000) / 100;
}
