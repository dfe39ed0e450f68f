import { callForEffect } from "#web/lib/api/http.ts";

/**
 * Reports the referral code of this visit, once per code and tab. The server can't count visits
 * itself, because pages come from a cache. Failures are ignored.
 */
export function reportReferral(): void {
  const code = new URLSearchParams(window.location.search).get("ref")?.trim() ?? "";
  if (code === "") return;
  try {
    const key = `referral ${code}`;
    if (sessionStorage.getItem(key) !== null) return;
    sessionStorage.setItem(key, "1");
  } catch {
    // Storage is off, so a reload counts again.
  }
  // Not a beacon, because the response may set the visitor cookie and the page waits for it.
  callForEffect("/api/visits", { method: "POST", body: { ref: code }, keepalive: true }).catch(
    () => {},
  );
}
