import type { KeyObject } from "node:crypto";
import { readApiToken } from "./bearer-token.ts";
import { readCookie } from "./cookies.ts";
import type { SignedInUser } from "./policy.ts";
import { isSignedToken, newSignedToken } from "./signed-token.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Signed-in user, set on every request by the session hook of `features/auth`. */
    user: SignedInUser | null;
    /**
     * Reads the user of the session or API token again. Returns null if the request has neither.
     */
    findUser(): Promise<SignedInUser | null> | null;
    /** Session token of the request; null without one or for a forged one. */
    sessionToken: string | null;
  }
}

export const newSessionToken = (secret: KeyObject): string => newSignedToken(secret, "session");

/**
 * Returns the name of the session cookie. On https, the name's prefix makes browsers refuse the
 * cookie from another host. Otherwise a neighbouring subdomain could sign a visitor in to an
 * account of its choice.
 */
export const sessionCookieName = (isSecure: boolean): string =>
  isSecure ? "__Host-session" : "session";

interface CarriedHeaders {
  cookie?: string | undefined;
  authorization?: string | undefined;
}

export function createSessionCookies(secret: KeyObject) {
  const isSigned = (token: string) => isSignedToken(secret, "session", token);
  return {
    /**
     * Returns the API token of an `Authorization` header, or null. Ignores tokens this site hasn't
     * signed.
     */
    readApiToken: (authorization: string | undefined): string | null =>
      readApiToken(secret, authorization),
    /** Returns a request's session token, or null. Ignores tokens this site hasn't signed. */
    read(cookieHeader: string | undefined, isSecure: boolean): string | null {
      const token = readCookie(cookieHeader, sessionCookieName(isSecure));
      return token !== null && isSigned(token) ? token : null;
    },
    /**
     * Returns which credentials a request has: none, a session cookie or API token signed by this
     * site (possibly expired), or a forged cookie. The session cookie may have been set over http
     * or https.
     */
    stateOf({ cookie: cookieHeader, authorization }: CarriedHeaders): "none" | "signed" | "forged" {
      if (readApiToken(secret, authorization) !== null) return "signed";
      if (cookieHeader === undefined) return "none";
      const tokens = [false, true]
        .map((isSecure) => readCookie(cookieHeader, sessionCookieName(isSecure)))
        .filter((token) => token !== null);
      if (tokens.length === 0) return "none";
      return tokens.some(isSigned) ? "signed" : "forged";
    },
  };
}

export type SessionCookies = ReturnType<typeof createSessionCookies>;
