import type { AdDevice } from "../../contract/ads.ts";

/**
 * Returns phone, tablet or desktop, from the client hint if present, otherwise from the user agent.
 */
export function deviceOf(userAgent: string | undefined, mobileHint?: string): AdDevice {
  const agent = userAgent ?? "";
  if (/ipad|tablet|kindle|silk\/|playbook/i.test(agent)) return "tablet";
  if (/android/i.test(agent) && !/mobile/i.test(agent)) return "tablet";
  if (mobileHint === "?1" || /iphone|ipod|mobile|windows phone/i.test(agent)) return "phone";
  return "desktop";
}

/**
 * Returns the languages of an Accept-Language header, best first, in lower case: `de-ch`, `de`,
 * `en`.
 */
export function languagesOf(acceptLanguage: string | undefined): string[] {
  if (acceptLanguage === undefined) return [];
  return acceptLanguage
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const quality = parameters.map((p) => /^\s*q=([\d.]+)$/.exec(p)?.[1]).find(Boolean);
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

/**
 * Returns whether the visitor reads one of the wanted languages. `de` matches `de-ch`, but `de-ch`
 * matches only itself.
 */
export function readsLanguage(wanted: readonly string[], read: readonly string[]): boolean {
  return wanted.some((want) => read.some((tag) => tag === want || tag.startsWith(`${want}-`)));
}
