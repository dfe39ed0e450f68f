import { accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import { RadioRows } from "../shared/radio-rows.tsx";
import { roleHints, roleNames } from "./roles.ts";

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
