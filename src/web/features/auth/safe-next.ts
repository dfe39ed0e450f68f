/** Where to go after signing in: a path of this site, never an address elsewhere. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : "/admin";
}
