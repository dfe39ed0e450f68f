/** Cookie of a member's device. Scripts can't read it. */
export const passCookie = "member";
/** Cookie with the end of the pass, for the header of pages. Scripts can read it. */
export const passUntilCookie = "member_until";
