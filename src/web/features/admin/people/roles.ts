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
