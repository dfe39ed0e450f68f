import { maxStopped, readStopped, stoppedCookie, stoppedKey } from "../../contract/stopped-ads.ts";

const keptS = 90 * 86_400;

/** Hides an ad in all lists for 90 days with a cookie in this browser. */
export function stopAd(adId: string): void {
  const prefix = `${stoppedCookie}=`;
  const stored = document.cookie.split("; ").find((entry) => entry.startsWith(prefix));
  const kept = readStopped(stored?.slice(prefix.length) ?? "");
  const keys = [...kept.filter((key) => key !== stoppedKey(adId)), stoppedKey(adId)];
  const value = keys.slice(-maxStopped).join(".");
  document.cookie = `${prefix}${value}; path=/; max-age=${keptS}; samesite=lax`;
}
