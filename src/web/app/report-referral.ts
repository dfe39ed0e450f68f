import { callForEffect } from "#web/lib/api/http.ts";
import { readStored, writeStored } from "#web/lib/device-storage.ts";

/**
 * Reports the referral code of this visit, once per code and tab. The server can't count visits
 * itself, because pages come from a cache. Failures are ignored.
 */
export function reportReferral(): void {
  const code = new URLSearchParams(window.location.search).get("ref")?.trim() ?? "";
  if (code === "") return;
  const key = `referral ${code}`;
  // Without storage, a reload counts again.
  if (readStored(key, "sessionStorage") !== null) return;
  writeStored(key, "1", "sessionStorage");
  // Not a beacon, because the response may set the visitor cookie and the page waits for it.
  callForEffect("/api/visits", { method: "POST", body: { ref: code }, keepalive: true }).catch(
    () => {},
  );
}
