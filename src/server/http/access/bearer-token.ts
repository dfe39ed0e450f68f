import type { KeyObject } from "node:crypto";
import { equalBytes, hmacSha256, newToken } from "#server/lib/ids.ts";

const prefix = "kinora_";
const randomLength = 40;
const pattern = /^Bearer (kinora_[\w-]{60})$/i;

const sign = (secret: KeyObject, random: string) =>
  hmacSha256(secret, `api-token:${random}`).subarray(0, 15);

/** Creates a random token signed by this installation, so that forged ones need no look-up. */
export function newApiToken(secret: KeyObject): string {
  const random = newToken(30);
  return prefix + random + sign(secret, random).toString("base64url");
}

/**
 * Returns the API token in an `Authorization` header, or null if there is none or this site hasn't
 * signed it.
 */
export function readApiToken(secret: KeyObject, authorization: string | undefined): string | null {
  const token = pattern.exec(authorization ?? "")?.[1] ?? null;
  if (token === null) return null;
  const rest = token.slice(prefix.length);
  const given = Buffer.from(rest.slice(randomLength), "base64url");
  return equalBytes(given, sign(secret, rest.slice(0, randomLength))) ? token : null;
}
