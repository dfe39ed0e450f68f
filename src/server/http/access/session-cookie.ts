import type { KeyObject } from "node:crypto";
import { equalBytes, hmacSha256, newToken } from "#server/lib/ids.ts";
import { readApiToken } from "./bearer-token.ts";
import { readCookie } from "./cookies.ts";
import type { SignedInUser } from "./policy.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The signed-in user. The session hook of `features/auth` sets it on every request. */
    user: SignedInUser | null;
    /** The session token that the request carries; null for none and for a forged one. */
    sessionToken: string | null;
  }
}

/** Of multiples of three bytes base64url has one spelling: 240 random bits, then 120 of the signature. */
const randomBytes = 30;
const randomLength = 40;
const signatureBytes = 15;
const tokenPattern = /^[\w-]{60}$/;

const sign = (secret: KeyObject, random: string) =>
  hmacSha256(secret, `session:${random}`).subarray(0, signatureBytes);

/** A random token with the installation's signature, so that a forged one needs no look-up. */
export function newSessionToken(secret: KeyObject): string {
  const random = newToken(randomBytes);
  return random + sign(secret, random).toString("base64url");
}

/**
 * The cookie of the session. On https its prefix makes browsers refuse it from another host, so that
 * a neighbouring subdomain cannot sign a visitor in to an account of its choice.
 */
export const sessionCookieName = (isSecure: boolean): string =>
  isSecure ? "__Host-session" : "session";

interface CarriedHeaders {
  cookie?: string | undefined;
  authorization?: string | undefined;
}

export interface SessionCookies {
  /** The session token of a request, or null. A token that this site has not signed counts as none. */
  read(cookieHeader: string | undefined, isSecure: boolean): string | null;
  /**
   * What a request carries: nothing, a session cookie (over http or https) or API token that this site
   * has signed (either may have ended), or a cookie that it has not.
   */
  stateOf(headers: CarriedHeaders): "none" | "signed" | "forged";
  /**
   * The API token of an `Authorization` header, or null. One that this site has not signed counts
   * as none.
   */
  readApiToken(authorization: string | undefined): string | null;
}

export function createSessionCookies(secret: KeyObject): SessionCookies {
  function isSigned(token: string): boolean {
    if (!tokenPattern.test(token)) return false;
    const signature = Buffer.from(token.slice(randomLength), "base64url");
    return equalBytes(signature, sign(secret, token.slice(0, randomLength)));
  }
  return {
    readApiToken: (authorization) => readApiToken(secret, authorization),
    read(cookieHeader, isSecure) {
      const token = readCookie(cookieHeader, sessionCookieName(isSecure));
      return token !== null && isSigned(token) ? token : null;
    },
    stateOf({ cookie: cookieHeader, authorization }) {
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
