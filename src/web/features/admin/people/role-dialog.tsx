import { useState } from "react";
import type { Person } from "#contract/accounts/people.ts";
import { accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { RoleField } from "./role-field.tsx";
import type { usePersonChanges } from "./use-person-changes.ts";

/** Dialog that changes a user's role. */
export function RoleDialog({
  person,
  canMakeOwner,
  changes,
  onClose,
}: {
  person: Person;
  canMakeOwner: boolean;
  changes: ReturnType<typeof usePersonChanges>;
  onClose: () => void;
}) {
  const [role, setRole] = useState<AccountRole>(person.role);
  return (
    <ModalForm
      title={person.email}
      description="The user will be signed out everywhere and has to sign in again."
      submitLabel="Change role"
      busyLabel="Changing..."
      isBusy={changes.isBusy}
      canSubmit={role !== person.role}
      isDirty={role !== person.role}
      onSubmit={() => changes.setRole(person, role, onClose)}
      onClose={onClose}
    >
      <RoleField
        value={role}
        onValue={setRole}
        choices={accountRoles.filter((each) => each !== "OWNER" || canMakeOwner)}
      />
    </ModalForm>
  );
}
