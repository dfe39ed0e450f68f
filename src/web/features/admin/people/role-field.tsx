import { useId } from "react";
import { accountRoles, type AccountRole } from "../../../../contract/policy.ts";
import { peopleMessages as messages, roleHints, roleNames } from "./messages.ts";

/** The roles with what each of them may do, to choose one. */
export function RoleField({
  value,
  onValue,
  choices = accountRoles,
}: {
  value: AccountRole;
  onValue: (role: AccountRole) => void;
  choices?: readonly AccountRole[];
}) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{messages.role}</legend>
      <div className="grid gap-1">
        {choices.map((role) => (
          <div
            key={role}
            className="relative flex min-h-11 items-center gap-3 rounded-md px-3 py-1.5 hover:bg-ink-3 has-checked:bg-lamp-soft has-focus-visible:outline-2"
          >
            <input
              id={id + role}
              type="radio"
              aria-describedby={`${id}${role}note`}
              name="role"
              value={role}
              checked={role === value}
              className="relative z-1 size-4 shrink-0 accent-lamp"
              onChange={() => onValue(role)}
            />
            <span>
              {/* The whole row is its target. */}
              <label
                htmlFor={id + role}
                className="block cursor-pointer text-sm font-medium after:absolute after:inset-0"
              >
                {roleNames[role]}
              </label>
              <span id={`${id}${role}note`} className="block text-sm text-ink-11">
                {roleHints[role]}
              </span>
            </span>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
