import type { KeyObject } from "node:crypto";
import { equalBytes, hmacSha256, newToken } from "#server/lib/ids.ts";

/** Use of a token. A token of one kind is never valid as another. */
type Purpose = "session" | "api-token";

/**
 * Both lengths are multiples of three bytes, so each value has only one base64url spelling. The
 * token has 240 random bits, then 120 bits of the signature.
 */
const randomBytes = 30;
const randomLength = 40;
const signatureBytes = 15;
const pattern = /^[\w-]{60}$/;

const sign = (secret: KeyObject, purpose: Purpose, random: string) =>
  hmacSha256(secret, `${purpose}:${random}`).subarray(0, signatureBytes);

/** Creates a random token signed by this installation, so that forged ones need no look-up. */
export function newSignedToken(secret: KeyObject, purpose: Purpose): string {
  const random = newToken(randomBytes);
  return random + sign(secret, purpose, random).toString("base64url");
}

/** Returns whether this installation has signed a token. */
export function isSignedToken(secret: KeyObject, purpose: Purpose, token: string): boolean {
  if (!pattern.test(token)) return false;
  const signature = Buffer.from(token.slice(randomLength), "base64url");
  return equalBytes(signature, sign(secret, purpose, token.slice(0, randomLength)));
}
