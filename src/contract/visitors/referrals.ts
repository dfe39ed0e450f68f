import { z } from "zod";
import { nameText } from "../lists/names.input.ts";

/** Referral link: `/?ref=code` or any other page of the site with that query. */
export const referral = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  /** Page that the link leads to, a path on this site. */
  target: z.string(),
  note: z.string().nullable(),
  isActive: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Sums over all time. */
  visits: z.number().int(),
  uniqueVisitors: z.number().int(),
  plays: z.number().int(),
});
export type Referral = z.infer<typeof referral>;
export const referralList = z.array(referral);

export const referralInput = z.object({
  name: nameText(100, "Name is required", "Name can have at most 100 characters"),
  code: z
    .string({ error: "Code is required" })
    .trim()
    .toLowerCase()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,39}$/,
      "Code can have at most 40 lowercase letters, digits and hyphens",
    ),
  target: z
    .string()
    .trim()
    .max(500)
    .regex(/^\/(?![/\\])[^\s\\]*$/, "Target must be a path of this site, such as /home")
    .optional(),
  note: z
    .string()
    .trim()
    .max(1000)
    .transform((text) => (text === "" ? null : text))
    .nullable()
    .optional(),
  isActive: z.boolean().optional(),
});
export type ReferralInput = z.infer<typeof referralInput>;

export const referralPatch = referralInput.partial();
export type ReferralPatch = z.infer<typeof referralPatch>;

/** One entry per day, including empty days, oldest first. `day` is YYYY-MM-DD in the site's zone. */
export const referralStats = z.object({
  days: z.array(
    z.object({
      day: z.string(),
      visits: z.number().int(),
      uniqueVisitors: z.number().int(),
      plays: z.number().int(),
    }),
  ),
});
export type ReferralStats = z.infer<typeof referralStats>;

export const visitBody = z.object({ ref: z.string().trim().toLowerCase().max(60) });
