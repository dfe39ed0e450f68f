/** Cookie with a visitor's choice about other companies' scripts in the pages. */
export const consentCookie = "consent";

const consents = ["yes", "no"] as const;
export type Consent = (typeof consents)[number];

/** @returns null before the visitor has chosen. */
export const parseConsent = (value: string | null | undefined): Consent | null =>
  consents.find((each) => each === value) ?? null;
