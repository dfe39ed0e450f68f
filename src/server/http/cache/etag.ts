import { hash } from "node:crypto";

/**
 * Returns a weak tag, because a body has the same tag in every content coding (RFC 9110, 8.8.3).
 */
export const etagOf = (body: Buffer): string =>
  `W/"${hash("sha1", body, "base64url").slice(0, 22)}"`;

/**
 * Returns whether an `If-None-Match` header contains this tag. A proxy may have removed the `W/`.
 */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch === "*" || ifNoneMatch.includes(etag.slice(2)));
