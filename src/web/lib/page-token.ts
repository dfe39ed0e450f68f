import { pageTokenHeader, pageTokenMeta } from "#contract/accounts/page-token.ts";

let token: string | null | undefined;

/**
 * Returns the page token of this document, or null outside the back office. Removes it from the
 * document when it is first read, so that only memory contains it.
 */
function readToken(): string | null {
  if (token !== undefined) return token;
  if (typeof document === "undefined") return null;
  const element = document.querySelector<HTMLMetaElement>(`meta[name="${pageTokenMeta}"]`);
  token = element?.content ?? null;
  element?.remove();
  return token;
}

/** Returns whether this document belongs to the back office, which includes the page of a draft. */
export const hasPageToken = (): boolean => readToken() !== null;

/** Replaces the token after the session was replaced. */
export function setPageToken(renewed: string): void {
  token = renewed;
}

/** Returns the headers that a request to this site needs in the back office. */
export function pageTokenHeaders(): Record<string, string> {
  const held = readToken();
  return held === null ? {} : { [pageTokenHeader]: held };
}

/**
 * Returns a seal for data that the back office stores in the browser, where scripts of every page
 * of the site can change it. Empty without a page token, and on pages opened over plain HTTP by
 * another name than localhost, where browsers offer no cryptography.
 */
export async function sealOf(text: string): Promise<string> {
  const held = readToken();
  if (held === null || !("subtle" in crypto)) return "";
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(held), algorithm, false, ["sign"]);
  const seal = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(text)));
  return Array.from(seal, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
