/**
 * Reports the referral code of this visit. Pages come from the cache, so the server cannot count it
 * when it sends them. Once per code and tab; failures are ignored.
 */
export function reportReferral(): void {
  const code = new URLSearchParams(window.location.search).get("ref")?.trim() ?? "";
  if (code === "") return;
  try {
    const key = `referral ${code}`;
    if (sessionStorage.getItem(key) !== null) return;
    sessionStorage.setItem(key, "1");
  } catch {
    // Storage is off: a reload counts again.
  }
  const body = new Blob([JSON.stringify({ ref: code })], { type: "application/json" });
  navigator.sendBeacon("/api/visits", body);
}
