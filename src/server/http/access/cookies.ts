/**
 * Reads one cookie without parsing the others, because this runs on every request. Removes spaces
 * and tabs around name and value, like browsers (RFC 6265, 5.2). `trim` would also remove a
 * no-break space, so `\xA0__Host-session`, which any subdomain can set, would count as
 * `__Host-session`.
 * @param name ASCII, so names with other bytes never match.
 * @returns the raw value, or null.
 */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && trimBlanks(part.slice(0, at)) === name) return trimBlanks(part.slice(at + 1));
  }
  return null;
}

function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === " " || text[at] === "\t";
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}

export interface CookieOptions {
  maxAgeS: number;
  isSecure: boolean;
}

/**
 * Returns a `Set-Cookie` value, always HttpOnly and SameSite=Lax. `value` may only contain
 * base64url and dots.
 */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  const secure = options.isSecure ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${options.maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}
