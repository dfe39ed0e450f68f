import { passUntilCookie } from "#contract/visitors/pass-cookies.ts";

/**
 * Returns whether this browser uses a pass. The server checks it, because the pass may have ended or
 * been extended since.
 */
export const hasPass = (): boolean =>
  typeof document !== "undefined" && document.cookie.includes(`${passUntilCookie}=`);
