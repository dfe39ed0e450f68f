import type { KeyObject } from "node:crypto";
import { equalBytes, hmacSha256, newToken } from "#server/lib/ids.ts";
import { readApiToken } from "./bearer-token.ts";
import { readCookie } from "./cookies.ts";
import type { SignedInUser } from "./policy.ts";

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

/**
 * Both lengths are multiples of three bytes, so each value has only one base64url spelling. The
 * token has 240 random bits, then 120 bits of the signature.
 */
const randomBytes = 30;
const randomLength = 40;
const signatureBytes = 15;
const tokenPattern = /^[\w-]{60}$/;

const sign = (secret: KeyObject, random: string) =>
  hmacSha256(secret, `session:${random}`).subarray(0, signatureBytes);

/** Creates a random token signed by this installation, so that forged ones need no look-up. */
export function newSessionToken(secret: KeyObject): string {
  const random = newToken(randomBytes);
  return random + sign(secret, random).toString("base64url");
}

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

export interface SessionCookies {
  /** Returns a request's session token, or null. Ignores tokens this site hasn't signed. */
  read(cookieHeader: string | undefined, isSecure: boolean): string | null;
  /**
   * Returns which credentials a request has: none, a session cookie or API token signed by this
   * site (possibly expired), or a forged cookie. The session cookie may have been set over http or
   * https.
   */
  stateOf(headers: CarriedHeaders): "none" | "signed" | "forged";
  /**
   * Returns the API token of an `Authorization` header, or null. Ignores tokens this site hasn't
   * signed.
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
