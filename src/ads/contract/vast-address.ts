/**
 * Resolves an address in a VAST document. Shared by browser and server, because the server follows
 * the chain when the browser isn't allowed to.
 *
 * @returns an absolute http or https address, or null. A template that is already absolute is
 *   returned unchanged, because normalising would damage its macros.
 */
export function absoluteUrl(template: string | null | undefined, baseUrl: string): string | null {
  const value = template?.trim() ?? "";
  if (value === "") return null;
  if (/^https?:\/\/[^/]/i.test(value)) return value;
  const base = URL.parse(baseUrl);
  if (base === null) return null;
  if (value.startsWith("//")) return `${base.protocol}${value}`;
  // Checks the parsed scheme, because browsers ignore tabs and line breaks in an address.
  const url = URL.parse(value, baseUrl);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Maximum number of wrappers before an InLine is required (VAST 4.3, 2.3.5.1 and 3.19.1). */
export const maxWrappers = 5;
/** Maximum size of one document. */
export const maxDocumentBytes = 1024 * 1024;

/**
 * Limits of one chain, which consists of a tag's document and those of its wrappers. Wrappers that
 * allow several ads may branch. No regular tag needs more.
 */
export const chainLimits = { documents: 8, bytes: 4 * 1024 * 1024, timeMs: 8000 } as const;
