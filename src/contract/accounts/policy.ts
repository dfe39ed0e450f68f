import { roles, type Role } from "./auth.ts";

/** Every role of an account. On the wire of sign-in and session an owner's `role` is `ADMIN`. */
export const accountRoles = ["OWNER", ...roles] as const;
export type AccountRole = (typeof accountRoles)[number];

const everyone = ["OWNER", "ADMIN", "EDITOR", "MODERATOR", "ANALYST"] as const;
const editors = ["OWNER", "ADMIN", "EDITOR"] as const;
const publishers = [...editors, "MODERATOR"] as const;
const readers = ["OWNER", "ADMIN", "ANALYST"] as const;
const administrators = ["OWNER", "ADMIN"] as const;

/** The one table of who may do what. The server asks it for every call, the browser shows by it. */
const table = {
  "statistics.read": {
    roles: everyone,
    means: "See the dashboard: totals, plays, watch time, the queue and the storage",
  },
  "content.read": {
    roles: everyone,
    means: "See every video, also drafts and failed ones, and all labels",
  },
  "content.publish": {
    roles: publishers,
    means: "Publish, unpublish and schedule videos",
  },
  "content.edit": {
    roles: editors,
    means: "Upload and change videos, categories, tags and actors",
  },
  "content.remove": {
    roles: editors,
    means: "Delete videos, categories, tags and actors",
  },
  "reports.read": {
    roles: [...administrators, "MODERATOR", "ANALYST"],
    means: "See reports of visitors and takedown notices",
  },
  "reports.handle": {
    roles: [...administrators, "MODERATOR"],
    means: "Decide on reports: assign, dismiss, unpublish or remove the video, block its file",
  },
  "ads.read": { roles: [...editors, "ANALYST"], means: "See ads and their figures" },
  "ads.edit": {
    roles: editors,
    means: "Create and change ads, which wait until an administrator approves them",
  },
  "ads.approve": {
    roles: administrators,
    means: "Approve, import and delete ads, let their scripts run in pages, manage campaigns",
  },
  "referrals.read": {
    roles: readers,
    means: "See referral links and their figures",
  },
  "referrals.edit": { roles: administrators, means: "Create, change and delete referral links" },
  "settings.edit": { roles: administrators, means: "See and change the settings of the site" },
  "webhooks.manage": {
    roles: administrators,
    means: "Add, change and remove webhooks, and read what was sent to them",
  },
  "audit.read": { roles: administrators, means: "Read the audit log" },
  "people.manage": {
    roles: administrators,
    means: "Invite, disable and remove users, change their roles, end their sessions",
  },
  "owners.manage": { roles: ["OWNER"], means: "The same for owners, and make others owners" },
} as const satisfies Record<string, { roles: readonly AccountRole[]; means: string }>;

export type Action = keyof typeof table;

export const isAction = (name: string): name is Action => Object.hasOwn(table, name);
export const actions: readonly Action[] = Object.keys(table).filter(isAction);

/** One sentence for people: what the action allows. */
export const meaningOf = (action: Action): string => table[action].means;

/** Whether the table allows the action to this role. */
export function can(role: AccountRole, action: Action): boolean {
  const allowed: readonly AccountRole[] = table[action].roles;
  return allowed.includes(role);
}

/** The role by which the table judges a user. Only the server knows who is an owner. */
export const accountRoleOf = (user: { role: Role; isOwner?: boolean }): AccountRole =>
  user.isOwner === true ? "OWNER" : user.role;
