import type { KeyObject } from "node:crypto";
import { equalBytes, hmacSha256, newToken } from "#server/lib/ids.ts";
import { readCookie } from "./cookies.ts";
import type { SignedInUser } from "./policy.ts";

/** Use of a token. A token of one kind is never valid as another. */
type Purpose = "session" | "api-token";

/**
 * Both lengths are multiples of three bytes, so each value has only one base64url spelling. The
 * token has 240 random bits, then 120 bits of the signature.
 */
const randomBytes = 30;
const randomLength = 40;
const signatureBytes = 15;
const tokenPattern = /^[\w-]{60}$/;

const sign = (secret: KeyObject, purpose: Purpose, random: string) =>
  hmacSha256(secret, `${purpose}:${random}`).subarray(0, signatureBytes);

/** Creates a random token signed by this installation, so that forged ones need no look-up. */
function newSignedToken(secret: KeyObject, purpose: Purpose): string {
  const random = newToken(randomBytes);
  return random + sign(secret, purpose, random).toString("base64url");
}

/** Returns whether this installation has signed a token. */
function isSignedToken(secret: KeyObject, purpose: Purpose, token: string): boolean {
  if (!tokenPattern.test(token)) return false;
  const signature = Buffer.from(token.slice(randomLength), "base64url");
  return equalBytes(signature, sign(secret, purpose, token.slice(0, randomLength)));
}

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

const prefix = "kinora_";
const pattern = /^Bearer (kinora_[\w-]+)$/i;

export const newApiToken = (secret: KeyObject): string =>
  prefix + newSignedToken(secret, "api-token");

/**
 * Returns the API token in an `Authorization` header, or null if there is none or this site hasn't
 * signed it.
 */
function readApiToken(secret: KeyObject, authorization: string | undefined): string | null {
  const token = pattern.exec(authorization ?? "")?.[1] ?? null;
  if (token === null) return null;
  return isSignedToken(secret, "api-token", token.slice(prefix.length)) ? token : null;
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
