/** Cookie of a member's device. Scripts can't read it. */
export const passCookie = "member";
/** Cookie with the end of the pass, for the header of pages. Scripts can read it. */
export const passUntilCookie = "member_until";
/**
 * Lifetime of both cookies, the longest that browsers allow. They outlive the pass, so that its
 * devices can use it again after an extension.
 */
export const passCookieDays = 400;
