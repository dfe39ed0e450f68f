import { passUntilCookie } from "#contract/visitors/pass-cookies.ts";

/** Returns whether this browser has a pass. The server checks it. */
export const hasPass = (): boolean =>
  typeof document !== "undefined" && document.cookie.includes(`${passUntilCookie}=`);
