import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Person, PersonPatch } from "#contract/accounts/people.ts";
import type { AccountRole } from "#contract/accounts/policy.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { notify } from "../shared/notices.tsx";
import { changePerson, peopleKey, removePerson } from "./api/people-calls.ts";
import { peopleMessages as messages, roleNames } from "./messages.ts";

/** Returns actions that change a user. Each asks for confirmation and reports its result. */
export function usePersonChanges() {
  const client = useQueryClient();
  const onSettled = () => void client.invalidateQueries({ queryKey: peopleKey });
  const changing = useMutation({
    mutationFn: ({ person, patch }: { person: Person; patch: PersonPatch }) =>
      changePerson(person.id, patch),
    meta: { failure: messages.changeFailed },
    onSettled,
  });
  const removing = useMutation({
    mutationFn: (person: Person) => removePerson(person.id),
    onSuccess: (_, { email }) => notify.success(messages.removed(email)),
    meta: { failure: messages.removeFailed },
    onSettled,
  });

  return {
    isBusy: changing.isPending || removing.isPending,

    setRole(person: Person, role: AccountRole, onDone: () => void) {
      const onSuccess = ({ email }: Person) => {
        notify.success(messages.changed(email, roleNames[role]));
        onDone();
      };
      changing.mutate({ person, patch: { role } }, { onSuccess });
    },

    async setDisabled(person: Person, isDisabled: boolean) {
      const { email } = person;
      const question = messages.askDisable(email);
      const options = { confirmLabel: messages.disable, isDanger: true };
      if (isDisabled && !(await confirmAction(question, options))) return;
      const onSuccess = () =>
        notify.success(isDisabled ? messages.isDisabled(email) : messages.isEnabled(email));
      changing.mutate({ person, patch: { isDisabled } }, { onSuccess });
    },

    async remove(person: Person) {
      const options = { confirmLabel: messages.remove, isDanger: true };
      if (await confirmAction(messages.askRemove(person.email), options)) removing.mutate(person);
    },
  };
}
