import { countOf } from "#web/lib/format/english-counts.ts";
import type { AccountRole } from "#contract/accounts/policy.ts";

export const roleNames: Record<AccountRole, string> = {
  OWNER: "Owner",
  ADMIN: "Admin",
  EDITOR: "Editor",
  MODERATOR: "Moderator",
  ANALYST: "Analyst",
  USER: "No access",
};

export const roleHints: Record<AccountRole, string> = {
  OWNER: "Everything, including other owners",
  ADMIN: "Everything except owners",
  EDITOR: "Uploads, edits, publishes and deletes videos and labels. Drafts ads.",
  MODERATOR: "Handles reports and comments. Publishes and unpublishes videos.",
  ANALYST: "Views videos and stats but can't change anything",
  USER: "Can sign in but has no access",
};

export const peopleMessages = {
  title: "People",
  total: (count: number) => countOf(count, "user"),
  invite: "Invite",
  inviting: "Inviting...",
  inviteTitle: "Invite to the back office",
  inviteFailed: "Failed to invite",
  email: "Email",
  role: "Role",
  invitations: "Open invitations",
  noInvitations: "No open invitations.",
  linkTitle: "Invitation link",
  linkText: (email: string) =>
    `Send this link to ${email}. It works once, expires in 7 days and won't be shown again.`,
  mailedText: (email: string) =>
    `We emailed this link to ${email}. It works once and expires in 7 days.`,
  copy: "Copy link",
  copied: "Invitation link copied",
  copyFailed: "Couldn't copy the link",
  done: "Done",
  renew: "New link",
  withdraw: "Withdraw",
  withdrawn: "Invitation withdrawn",
  withdrawFailed: "Failed to withdraw the invitation",
  expired: "Expired",
  you: "You",
  disabled: "Disabled",
  never: "Never",
  manage: "Manage",
  changeRole: "Change role",
  changeRoleHint: "The user will be signed out everywhere and has to sign in again.",
  save: "Change role",
  saving: "Changing...",
  changed: (email: string, role: string) => `${email} is now ${role}`,
  changeFailed: "Failed to change the user",
  sessions: "Sessions",
  sessionsOf: (email: string) => `Sessions for ${email}`,
  noSessions: "Not signed in anywhere.",
  endSession: "End session",
  endAll: "Sign out everywhere",
  ended: "Session ended",
  endFailed: "Failed to end the session",
  askEndAll: (email: string) =>
    `Sign ${email} out everywhere? Their API tokens will be revoked too.`,
  disable: "Disable",
  enable: "Enable",
  askDisable: (email: string) =>
    `Disable ${email}? They'll be signed out everywhere, their API tokens will be revoked, and they can't sign in until you enable the account again.`,
  isDisabled: (email: string) => `${email} is disabled`,
  isEnabled: (email: string) => `${email} is enabled`,
  remove: "Remove",
  askRemove: (email: string) =>
    `Remove ${email}? They'll be signed out everywhere. Their actions stay in the audit log.`,
  removed: (email: string) => `Removed ${email}`,
  removeFailed: "Failed to remove the user",
  loadFailed: "Failed to load the users",
  tokens: "API tokens",
  tokensFailed: "Failed to load the API tokens",
  noTokens: "No user has an API token.",
  revoke: "Revoke",
  askRevoke: (name: string, email: string) =>
    `Revoke the token ${name} from ${email}? Programs that use it will stop working.`,
  revoked: "Token revoked",
  revokeFailed: "Failed to revoke the token",
  rule: "Require two-factor sign-in",
  ruleHint:
    "Users without an authenticator app or passkey can only open their account page to add one.",
  ruleSaved: "Saved",
  ruleFailed: "Failed to save",
  thisSession: "This session",
  signedIn: "Signed in",
  lastSeen: "Last seen",
} as const;
