/**
 * Tells the server by which referral link this visitor came. Pages are the same for everybody, so
 * the server cannot see it from the page itself. Once per code and tab; failures do not matter.
 */
export function reportReferral(): void {
  const code = new URLSearchParams(window.location.search).get("ref")?.trim() ?? "";
  if (code === "") return;
  try {
    const key = `referral ${code}`;
    if (sessionStorage.getItem(key) !== null) return;
    sessionStorage.setItem(key, "1");
  } catch {
    // Without storage a reload counts again.
  }
  const body = new Blob([JSON.stringify({ ref: code })], { type: "application/json" });
  navigator.sendBeacon("/api/visits", body);
}
