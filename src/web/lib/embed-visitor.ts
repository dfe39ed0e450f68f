import { readStored, writeStored } from "./device-storage.ts";
import { plainPath } from "./language/page-language.ts";

const key = "visitor";

/** Returns whether this page is an embed, whose plays and ads count separately. */
export const isEmbedPage = (): boolean =>
  plainPath(window.location.pathname)?.startsWith("/embed/") === true;

/**
 * Returns the header that identifies the visitor of an embed. Browsers may block cookies in frames on
 * other sites, but they give the frame a separate storage on each site.
 */
export function carriedHeaders(): Record<string, string> {
  const visitor = isEmbedPage() ? readStored(key) : null;
  return visitor === null ? {} : { "x-visitor": visitor };
}

/** Stores the visitor that the server created for this embed. */
export function keepVisitor(visitor: string | undefined): void {
  if (visitor !== undefined && isEmbedPage()) writeStored(key, visitor);
}
