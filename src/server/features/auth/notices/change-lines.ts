import { z } from "zod";

/** Part of an audit entry that a mail needs. */
interface ChangeEntry {
  action: string;
  userEmail: string;
  before: unknown;
  after: unknown;
}

const state = z
  .object({
    email: z.string().optional(),
    role: z.string().optional(),
    name: z.string().optional(),
    siteUrl: z.string().nullable().optional(),
    isSecondFactorRequired: z.boolean().optional(),
  })
  .catch({});
type State = z.infer<typeof state>;

const lines: Record<string, (before: State, after: State) => string> = {
  "account.invited": (_, after) => `Invited ${after.email} as ${after.role}`,
  "account.invitation-revoked": (before) => `Withdrew the invitation for ${before.email}`,
  "account.role-changed": (before, after) =>
    `Changed the role of ${after.email} from ${before.role} to ${after.role}`,
  "account.disabled": (_, after) => `Disabled the account ${after.email}`,
  "account.enabled": (_, after) => `Enabled the account ${after.email}`,
  "account.removed": (before) => `Removed the account ${before.email}`,
  "account.email-changed": (before, after) =>
    `Changed their email address from ${before.email} to ${after.email}`,
  "account.totp-added": () => "Added an authenticator app to their account",
  "account.totp-removed": () => "Removed the authenticator app from their account",
  "account.passkey-added": () => "Added a passkey to their account",
  "account.passkey-removed": () => "Removed a passkey from their account",
  "account.recovery-codes-renewed": () => "Created new recovery codes for their account",
  "account.second-factor-rule": (_, after) =>
    after.isSecondFactorRequired === true
      ? "Turned on required two-factor sign-in"
      : "Turned off required two-factor sign-in",
  "token.created": (_, after) => `Created the API token "${after.name}"`,
  "token.removed": (before) =>
    before.email === undefined
      ? `Revoked the API token "${before.name}"`
      : `Revoked the API token "${before.name}" of ${before.email}`,
};

/** Describes an audit entry in one line. Returns null if the entry isn't about access. */
export function changeLine(entry: ChangeEntry): string | null {
  const [before, after] = [state.parse(entry.before), state.parse(entry.after)];
  if (entry.action === "settings.updated") {
    if (before.siteUrl === after.siteUrl) return null;
    const name = (url: State["siteUrl"]) => url ?? "none";
    return `Changed the site URL from ${name(before.siteUrl)} to ${name(after.siteUrl)}`;
  }
  return lines[entry.action]?.(before, after) ?? null;
}

/**
 * Returns owners who are no longer on the list because of the change itself: it demoted, disabled
 * or deleted them or changed their address.
 */
export function formerOwnersIn(entries: readonly ChangeEntry[]): string[] {
  return entries.flatMap(({ before, action }) => {
    const { email, role } = state.parse(before);
    const isFormer = role === "OWNER" && action.startsWith("account.");
    return isFormer && email !== undefined ? [email] : [];
  });
}
