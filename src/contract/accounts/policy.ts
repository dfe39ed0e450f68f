import { roles, type Role } from "./auth.ts";

/** All roles of accounts. Sign-in and session responses show an owner's `role` as `ADMIN`. */
export const accountRoles = ["OWNER", ...roles] as const;
export type AccountRole = (typeof accountRoles)[number];

const everyone = ["OWNER", "ADMIN", "EDITOR", "MODERATOR", "ANALYST"] as const;
const editors = ["OWNER", "ADMIN", "EDITOR"] as const;
const publishers = [...editors, "MODERATOR"] as const;
const readers = ["OWNER", "ADMIN", "ANALYST"] as const;
const administrators = ["OWNER", "ADMIN"] as const;

/**
 * The only table of permissions. The server checks it for every call, and the browser adapts its
 * display to it.
 */
const table = {
  "statistics.read": {
    roles: everyone,
    means: "View the dashboard: totals, plays, watch time, queue and storage",
  },
  "content.read": {
    roles: everyone,
    means: "View every video, including drafts and failed ones, and all labels",
  },
  "content.publish": {
    roles: publishers,
    means: "Publish, unpublish and schedule videos",
  },
  "content.edit": {
    roles: editors,
    means: "Upload and edit videos, categories, tags and actors",
  },
  "content.remove": {
    roles: editors,
    means: "Delete videos, categories, tags and actors",
  },
  "reports.read": {
    roles: [...administrators, "MODERATOR", "ANALYST"],
    means: "View visitor reports and takedown notices",
  },
  "reports.handle": {
    roles: [...administrators, "MODERATOR"],
    means: "Handle reports: assign, dismiss, unpublish or remove the video, block its file",
  },
  "ads.read": { roles: [...editors, "ANALYST"], means: "View ads and their stats" },
  "ads.edit": {
    roles: editors,
    means: "Create and edit ads, which need an administrator's approval",
  },
  "ads.approve": {
    roles: administrators,
    means: "Approve, import and delete ads, let their scripts run in pages, manage campaigns",
  },
  "referrals.read": {
    roles: readers,
    means: "View referral links and their stats",
  },
  "referrals.edit": { roles: administrators, means: "Create, change and delete referral links" },
  "passes.edit": {
    roles: administrators,
    means: "View, create, extend and revoke members' passes",
  },
  "settings.edit": { roles: administrators, means: "View and change the settings of the site" },
  "settings.address": {
    roles: ["OWNER"],
    means: "Change the site URL",
    isSessionOnly: true,
  },
  "webhooks.manage": {
    roles: administrators,
    means: "Add, edit and remove webhooks, and view their logs",
  },
  "audit.read": { roles: administrators, means: "Read the audit log" },
  "people.manage": {
    roles: administrators,
    means: "Invite, disable and remove users, change their roles, end their sessions",
    isSessionOnly: true,
  },
  "owners.manage": {
    roles: ["OWNER"],
    means: "Manage owners and make other users owners",
    isSessionOnly: true,
  },
  "tokens.manage": {
    roles: ["OWNER"],
    means: "View and revoke the API tokens of every user",
    isSessionOnly: true,
  },
} as const satisfies Record<string, Permission>;

interface Permission {
  roles: readonly AccountRole[];
  means: string;
  /** True if an API token can't have it as a scope. */
  isSessionOnly?: boolean;
}

/**
 * Changes that require the user to confirm the password or a passkey within the last
 * `confirmedMinutes`. API tokens can't make them. Owners get an email about each change.
 */
const confirmed = {
  email: "Change your email address",
  "second-factor": "Add or remove an authenticator app or passkey, create recovery codes",
  tokens: "Create or revoke API tokens, including those of other users",
  people: "Invite, disable, enable and remove users, change their roles, withdraw invitations",
  "second-factor-rule": "Require two-factor sign-in for every user",
  "site-address": "Change the site URL",
} as const;

export type Action = keyof typeof table;

export const isAction = (name: string): name is Action => Object.hasOwn(table, name);
export const actions: readonly Action[] = Object.keys(table).filter(isAction);

/** Minutes for which a session may make such changes after a confirmation. */
export const confirmedMinutes = 5;

export type ConfirmedChange = keyof typeof confirmed;
export const confirmedChanges: readonly { change: string; means: string }[] = Object.entries(
  confirmed,
).map(([change, means]) => ({ change, means }));

/** Returns whether an API token can have the action as a scope. */
export function canBeScope(action: Action): boolean {
  const permission: Permission = table[action];
  return permission.isSessionOnly !== true;
}

/** Returns one sentence about what the action allows. */
export const describeAction = (action: Action): string => table[action].means;

/** Returns the permissions of a token in words. Unknown ones, of another version, stay as they are. */
export const describeScopes = (scopes: readonly string[]): string =>
  scopes.map((scope) => (isAction(scope) ? describeAction(scope) : scope)).join("; ");

/** Returns whether the table allows the action to this role. */
export function can(role: AccountRole, action: Action): boolean {
  const allowed: readonly AccountRole[] = table[action].roles;
  return allowed.includes(role);
}

/** Returns the user's role for the table. Only the server knows who is an owner. */
export const accountRoleOf = (user: { role: Role; isOwner?: boolean }): AccountRole =>
  user.isOwner === true ? "OWNER" : user.role;
