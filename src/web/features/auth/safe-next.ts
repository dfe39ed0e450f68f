/** Returns the path to open after signing in; never an address of another site. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : "/admin";
}
