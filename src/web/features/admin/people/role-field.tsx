import { accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import { RadioRows } from "../shared/radio-rows.tsx";

export const roleNames: Record<AccountRole, string> = {
  OWNER: "Owner",
  ADMIN: "Admin",
  EDITOR: "Editor",
  MODERATOR: "Moderator",
  ANALYST: "Analyst",
  USER: "No access",
};

const roleHints: Record<AccountRole, string> = {
  OWNER: "Everything, including other owners",
  ADMIN: "Everything except owners",
  EDITOR: "Uploads, edits, publishes and deletes videos and labels. Drafts ads.",
  MODERATOR: "Handles reports and comments. Publishes and unpublishes videos.",
  ANALYST: "Views videos and stats but can't change anything",
  USER: "Can sign in but has no access",
};

/** Lets the user choose a role. Shows the permissions of each role. */
export function RoleField({
  value,
  onValue,
  choices = accountRoles,
}: {
  value: AccountRole;
  onValue: (role: AccountRole) => void;
  choices?: readonly AccountRole[];
}) {
  return (
    <RadioRows
      legend="Role"
      name="role"
      value={value}
      options={choices.map((role) => ({
        value: role,
        label: roleNames[role],
        hint: roleHints[role],
      }))}
      onValue={onValue}
    />
  );
}
