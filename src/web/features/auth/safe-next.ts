/** Returns the path to open after signing in. Never returns a URL of another site. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : "/admin";
}
