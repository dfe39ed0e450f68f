/**
 * Pages on which trusted ads may run their scripts: content, without forms, secrets and accounts.
 * Every other page, also a new one, only shows isolated ads. A page's handle has
 * `allowsTrustedAds` if it is listed here.
 */
const trustedAdPages = [
  "/",
  "/feed",
  "/feed/:slug",
  "/home",
  "/trending",
  "/search",
  "/favorites",
  "/tags",
  "/tags/:slug",
  "/categories",
  "/categories/:slug",
  "/actors",
  "/actors/:slug",
  "/video/:slug",
] as const;

/** Pages whose address contains a secret. */
const secretPages = ["/auth/invitation", "/auth/reset", "/setup", "/private/:secret"];

/** Matches paths in any case, like the router. A pattern also matches itself. */
const toMatcher = (patterns: readonly string[]): RegExp =>
  new RegExp(`^(?:${patterns.map((path) => path.replace(/:\w+/, "[^/]+")).join("|")})/?$`, "i");

const trustedAdMatchers = trustedAdPages.map((page) => ({ page, matcher: toMatcher([page]) }));
const secretMatcher = toMatcher(secretPages);

/**
 * Returns the pattern of a page that allows trusted ads, such as `/video/:slug`, or null.
 * @param path path without a language, or a pattern.
 */
export const trustedAdPageOf = (path: string): string | null =>
  trustedAdMatchers.find(({ matcher }) => matcher.test(path))?.page ?? null;

/** Returns whether a page's address contains a secret. @param path without a language. */
export const hasSecretAddress = (path: string): boolean => secretMatcher.test(path);

/** Returns whether a page belongs to the back office. */
export const isBackOfficePage = (path: string): boolean => /^\/admin(\/|$)/i.test(path);

/**
 * Returns whether a navigation may stay in the same document. All others load a new one, so that
 * scripts of trusted ads never run where a password is typed or a secret is in the address, and
 * can't read the address of an earlier page from the document.
 * @param from path without a language.
 * @param to path without a language.
 */
export const canShareDocument = (from: string, to: string): boolean =>
  from === to ||
  (trustedAdPageOf(from) !== null && trustedAdPageOf(to) !== null) ||
  (isBackOfficePage(from) && isBackOfficePage(to));
