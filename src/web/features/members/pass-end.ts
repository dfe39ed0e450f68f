import { passUntilCookie } from "#contract/visitors/pass-cookies.ts";
import { createStore } from "#web/lib/store.ts";

/** Reads when this browser's pass ends, in ms; null without a pass or after its end. */
function readEnd(): number | null {
  const [, until] = new RegExp(`\\b${passUntilCookie}=(\\d+)`).exec(document.cookie) ?? [];
  const atMs = Number(until);
  return atMs > Date.now() ? atMs : null;
}

/** End of this browser's pass, as the header shows it. */
export const passEnd = createStore({ atMs: readEnd() });

/** Reads the end again, because a response may have changed or removed the cookie. */
export const readPassEnd = (): void => passEnd.commit({ atMs: readEnd() });
