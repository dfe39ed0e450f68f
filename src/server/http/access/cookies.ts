/**
 * Reads one cookie without parsing the others, because this runs on every request.
 * @returns the raw value, or null.
 */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
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
