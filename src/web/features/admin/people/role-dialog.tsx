import { useState } from "react";
import type { Person } from "#contract/accounts/people.ts";
import { accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { peopleMessages as messages } from "./messages.ts";
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
      isOpen
      title={person.email}
      description={messages.changeRoleHint}
      submitLabel={messages.save}
      busyLabel={messages.saving}
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
