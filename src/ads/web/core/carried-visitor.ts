import { readStored, writeStored } from "#web/lib/device-storage.ts";
import { isEmbedPage } from "./page-ads.ts";

const key = "visitor";

/**
 * Returns the header that identifies the visitor of an embed. Browsers keep cookies from frames on
 * other sites, but each site around them has a storage of its own.
 */
export function carriedHeaders(): Record<string, string> {
  const visitor = isEmbedPage() ? readStored(key) : null;
  return visitor === null ? {} : { "x-visitor": visitor };
}

/** Stores the visitor that the server has created for this embed. */
export function keepVisitor(visitor: string | undefined): void {
  if (visitor !== undefined && isEmbedPage()) writeStored(key, visitor);
}
