import { z } from "zod";

/**
 * Data that this site stores about visitors, and third parties that their browsers contact.
 * Contains only what depends on the site's setup.
 */
export const privacyFacts = z.object({
  /** Operator's own text as safe HTML. */
  html: z.string().nullable(),
  /** Number of months for which single plays are stored. */
  playMonths: z.number().int(),
  /** Number of days for which likes and favorites of removed videos are stored. */
  trashDays: z.number().int(),
  asksAge: z.boolean(),
  sendsMail: z.boolean(),
  hasComments: z.boolean(),
  /** True if premium videos are for members only. */
  hasMembers: z.boolean(),
  hasAds: z.boolean(),
  /** True if ads from other companies run scripts in the pages of this site. */
  hasTrustedAds: z.boolean(),
  /** Hosts in the ads' HTML. Their scripts may contact further hosts. */
  adHosts: z.array(z.string()),
  /** Hosts that send the videos, the logo and the icon of the site. */
  siteHosts: z.array(z.string()),
});
export type PrivacyFacts = z.infer<typeof privacyFacts>;

/** Number of stored entries that "Forget me" deleted. */
export const forgotten = z.object({ deleted: z.number().int() });
