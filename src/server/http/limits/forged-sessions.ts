import type { ServerResponse } from "node:http";
import { refuseHead } from "../client-errors.ts";

/** So many a second are served at once: browsers whose cookie is older than the site's key. */
const freePerS = 50;
const delayMs = 250;
const maxDelayed = 1000;

/** Slows requests down whose session cookie this site has not signed. No visitor has such a cookie. */
export interface ForgedSessionLimit {
  /**
   * Calls `respond` at once, or after a delay while more of these requests arrive than browsers send.
   * Refuses the request where too many wait already.
   */
  pass(response: ServerResponse, respond: () => void): void;
}

export function createForgedSessionLimit(): ForgedSessionLimit {
  let free = freePerS;
  let countedAt = performance.now();
  let delayed = 0;

  function takeFree(): boolean {
    const at = performance.now();
    free = Math.min(freePerS, free + ((at - countedAt) / 1000) * freePerS);
    countedAt = at;
    if (free < 1) return false;
    free -= 1;
    return true;
  }

  return {
    pass(response, respond) {
      if (takeFree()) return respond();
      if (delayed >= maxDelayed) {
        return refuseHead(response, "rate_limited", "Too many requests with an unknown session.");
      }
      delayed += 1;
      setTimeout(() => {
        delayed -= 1;
        if (!response.destroyed) respond();
      }, delayMs);
    },
  };
}
