import type { KeyObject } from "node:crypto";
import { isSignedToken, newSignedToken } from "./signed-token.ts";

const prefix = "kinora_";
const pattern = /^Bearer (kinora_[\w-]+)$/i;

export const newApiToken = (secret: KeyObject): string =>
  prefix + newSignedToken(secret, "api-token");

/**
 * Returns the API token in an `Authorization` header, or null if there is none or this site hasn't
 * signed it.
 */
export function readApiToken(secret: KeyObject, authorization: string | undefined): string | null {
  const token = pattern.exec(authorization ?? "")?.[1] ?? null;
  if (token === null) return null;
  return isSignedToken(secret, "api-token", token.slice(prefix.length)) ? token : null;
}
