import { z } from "zod";
import { optionalNameText } from "../lists/names.input.ts";
import { emailAddress, passwordRule } from "./auth.ts";
import { accountRoles } from "./policy.ts";

const accountRole = z.enum(accountRoles);

/** Session of a user. `device` is derived from the browser's user agent. */
const accountSession = z.object({
  id: z.uuid(),
  device: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** True for the session of this request. */
  isCurrent: z.boolean(),
});
export const accountSessions = z.array(accountSession);
export type AccountSession = z.infer<typeof accountSession>;

export const person = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: accountRole,
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable(),
  isDisabled: z.boolean(),
  sessions: z.number().int(),
});
export type Person = z.infer<typeof person>;

const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role: accountRole,
  invitedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitation>;

export const people = z.object({
  people: z.array(person),
  invitations: z.array(invitation),
  /** True if the site sends e-mail. Otherwise admins pass links on themselves. */
  sendsMail: z.boolean(),
});
export type People = z.infer<typeof people>;

export const invitationBody = z.object({
  email: emailAddress,
  role: accountRole.exclude(["USER"]),
});
export type InvitationBody = z.infer<typeof invitationBody>;

/** Path that opens the invitation once. Only its hash is stored. */
export const createdInvitation = z.object({
  invitation,
  path: z.string(),
  isMailed: z.boolean(),
});
export type CreatedInvitation = z.infer<typeof createdInvitation>;

/** Absent fields stay unchanged. */
export const personPatch = z.object({
  role: accountRole.optional(),
  isDisabled: z.boolean().optional(),
});
export type PersonPatch = z.infer<typeof personPatch>;

export const invitationToken = z.object({ token: z.string().min(1).max(200) });
export const openInvitation = invitation.pick({ email: true, role: true });
export const acceptBody = invitationToken.extend({
  name: optionalNameText(100).optional(),
  password: passwordRule,
});
