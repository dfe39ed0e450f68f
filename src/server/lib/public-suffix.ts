import { getPublicSuffix } from "tldts";
import { AppError } from "./app-error.ts";

/**
 * Returns whether an origin is a public suffix or a wildcard for one. Anyone can register a name
 * below `co.uk` or `github.io`, so a policy that lists one would allow anyone's scripts.
 */
export function isSharedOrigin(origin: string): boolean {
  const host = origin.replace(/^https?:\/\//, "").replace(/:\d+$/, "");
  const name = host.replace(/^\*\./, "");
  // A name without a dot is a machine in the operator's network.
  if (!host.includes(".")) return false;
  return getPublicSuffix(name, { allowPrivateDomains: true }) === name;
}

/** @throws AppError invalid, on the field `path`. */
export function refuseSharedOrigins(
  origins: readonly string[],
  path: string,
  advice = "List the host that serves the scripts.",
): void {
  const shared = origins.find(isSharedOrigin);
  if (shared === undefined) return;
  const message = `Anyone can register a name under ${shared.replace(/^https?:\/\//, "")}. ${advice}`;
  throw new AppError("invalid", message, { issues: [{ path, message }] });
}
