import type { User } from "../../../contract/auth.ts";
import { readCookie } from "./cookies.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The signed-in user. The session hook of `features/auth` sets it on every request. */
    user: User | null;
  }
}

/**
 * The cookie of the session. On https its prefix makes browsers refuse it from another host, so that
 * a neighbouring subdomain cannot sign a visitor in to an account of its choice.
 */
export const sessionCookieName = (isSecure: boolean): string =>
  isSecure ? "__Host-session" : "session";

/** The session token that a request carries, or null. Text that cannot be a token counts as none. */
export function readSessionToken(
  cookieHeader: string | undefined,
  isSecure: boolean,
): string | null {
  const token = readCookie(cookieHeader, sessionCookieName(isSecure));
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}

/** Whether a request carries what may be a session, over http or https. */
export const mayHaveSession = (cookieHeader: string | undefined): boolean =>
  readSessionToken(cookieHeader, false) !== null || readSessionToken(cookieHeader, true) !== null;
