import { useMutation } from "@tanstack/react-query";
import type { Person, PersonPatch } from "#contract/accounts/people.ts";
import type { AccountRole } from "#contract/accounts/policy.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { notify } from "../shared/notices.tsx";
import { changePerson, peopleKey, removePerson } from "./calls.ts";
import { roleNames } from "./roles.ts";

/** Returns actions that change a user. Each asks for confirmation and reports its result. */
export function usePersonChanges() {
  const changing = useMutation({
    mutationFn: ({ person, patch }: { person: Person; patch: PersonPatch }) =>
      changePerson(person.id, patch),
    meta: { failure: "Failed to change the user", refreshes: peopleKey },
  });
  const removing = useMutation({
    mutationFn: (person: Person) => removePerson(person.id),
    onSuccess: (_, { email }) => notify.success(`Removed ${email}`),
    meta: { failure: "Failed to remove the user", refreshes: peopleKey },
  });

  return {
    isBusy: changing.isPending || removing.isPending,

    async setRole(person: Person, role: AccountRole, onDone: () => void) {
      const onSuccess = ({ email }: Person) => {
        notify.success(`${email} is now ${roleNames[role]}`);
        onDone();
      };
      await changing.mutateAsync({ person, patch: { role } }, { onSuccess });
    },

    async setDisabled(person: Person, isDisabled: boolean) {
      const { email } = person;
      const question = `Disable ${email}? They'll be signed out everywhere, their API tokens will be revoked, and they can't sign in until you enable the account again.`;
      if (isDisabled && !(await confirmAction(question, "Disable", "danger"))) return;
      const onSuccess = () =>
        notify.success(isDisabled ? `${email} is disabled` : `${email} is enabled`);
      changing.mutate({ person, patch: { isDisabled } }, { onSuccess });
    },

    async remove(person: Person) {
      if (
        await confirmAction(
          `Remove ${person.email}? They'll be signed out everywhere. Their actions stay in the audit log.`,
          "Remove",
          "danger",
        )
      )
        removing.mutate(person);
    },
  };
}
