/**
 * Returns `next` if it is a path of this site, otherwise `fallback`. Everything that redirects to
 * an address from a request uses it, so that no link to this site leads to another one.
 */
export const ownPathOr = (next: string | null | undefined, fallback: string): string =>
  next && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : fallback;
