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
 * Returns whether the visitor reads one of the wanted languages. `de` matches `de-ch`, but `de-ch`
 * matches only itself.
 */
export function readsLanguage(wanted: readonly string[], read: readonly string[]): boolean {
  return wanted.some((want) => read.some((tag) => tag === want || tag.startsWith(`${want}-`)));
}
