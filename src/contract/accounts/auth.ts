import { z } from "zod";
import { optionalNameText } from "../lists/names.input.ts";

/**
 * Roles in sign-in and session responses. `ADMIN` stands for owners and admins. `USER` has no
 * permissions in the back office.
 */
export const roles = ["ADMIN", "EDITOR", "MODERATOR", "ANALYST", "USER"] as const;
export type Role = (typeof roles)[number];

export const user = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
});
export type User = z.infer<typeof user>;

export const signInBody = z.object({
  email: z.string().trim().max(254),
  password: z.string().min(1, "Password is required").max(1000),
});

export const passwordRule = z
  .string()
  .min(8, "The password must have at least 8 characters")
  .max(1000, "The password can have at most 1,000 characters");

/** Email address, by the rule of email fields in browsers. */
export const emailAddress = z
  .email({ pattern: z.regexes.html5Email, error: "Enter an email address" })
  .max(254);

export const setupBody = z.object({
  token: z.string().min(1).max(200),
  email: emailAddress,
  name: optionalNameText(100).optional(),
  password: passwordRule,
});

export const passwordBody = z.object({
  currentPassword: z.string().min(1, "Enter your current password").max(1000),
  newPassword: passwordRule,
  /** True to keep the account's API tokens valid. */
  keepsTokens: z.boolean().default(false),
});

export const sessionResponse = z.object({ user: user.nullable() });
