import { useQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { UserPlusIcon } from "lucide-react";
import { useContext, useState } from "react";
import type { CreatedInvitation, Person, PersonPatch } from "#contract/accounts/people.ts";
import { Button } from "#web/components/ui/button.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { accessRules } from "#contract/accounts/account.ts";
import { SwitchField } from "#web/components/ui/field.tsx";
import { accountRoles, type AccountRole } from "#contract/accounts/policy.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { DataTable } from "../shared/data-table.tsx";
import {
  PageHeader,
  countNote,
  QueryError,
  adminHandle,
  AdminUser,
} from "../shared/admin-page.tsx";
import { accountKey, accountQuery } from "../account/calls.ts";
import { adminCall } from "../shared/admin-api.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { SessionList } from "../shared/session-list.tsx";
import { notify } from "../shared/notices.tsx";
import {
  peopleQuery,
  endAllSessions,
  endSession,
  peopleKey,
  personSessionsQuery,
  changePerson,
  removePerson,
} from "./calls.ts";
import { InvitationTable } from "./invitation-table.tsx";
import { InvitationLink, InviteDialog } from "./invite-dialog.tsx";
import { peopleColumns } from "./people-columns.tsx";
import { TokenTable } from "./token-table.tsx";
import { RoleField, roleNames } from "./role-field.tsx";

/** Returns actions that change a user. Each asks for confirmation and reports its result. */
function usePersonChanges() {
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

/** Lists the sessions of a user, with buttons to end them. */
function SessionsDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const list = useQuery(personSessionsQuery(person.id));
  const ending = useMutation({
    mutationFn: (id: string | null) =>
      id === null ? endAllSessions(person.id) : endSession(person.id, id),
    meta: { success: "Session ended", failure: "Failed to end the session", refreshes: peopleKey },
  });
  const endAll = async () => {
    if (
      await confirmAction(
        `Sign ${person.email} out everywhere? Their API tokens will be revoked too.`,
        "Sign out everywhere",
        "danger",
      )
    )
      ending.mutate(null);
  };
  return (
    <Dialog
      onClose={onClose}
      title="Sessions"
      description={person.email}
      footer={
        <>
          <Button onClick={() => void endAll()} disabled={list.data?.length === 0}>
            Sign out everywhere
          </Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {list.isLoadingError ? (
        <QueryError message="Failed to load the users" query={list} />
      ) : (
        <SessionList
          sessions={list.data}
          isBusy={ending.isPending}
          onEnd={(id) => ending.mutate(id)}
        />
      )}
    </Dialog>
  );
}

/** Dialog that changes a user's role. */
function RoleDialog({
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

/** Switch that requires a second factor from every user. */
function FactorRule() {
  const client = useQueryClient();
  const account = useQuery(accountQuery);
  const saving = useMutation({
    mutationFn: (isSecondFactorRequired: boolean) =>
      adminCall("/api/admin/people/rules", accessRules, {
        method: "PUT",
        body: { isSecondFactorRequired },
      }),
    meta: { success: "Saved", failure: "Failed to save" },
    // Disabled until the new value is here.
    onSettled: () => client.invalidateQueries({ queryKey: accountKey }),
  });
  // Until the rule is known, an empty switch would look like one that is off.
  if (account.data === undefined) return null;
  return (
    <section className="mt-8 border-t border-line pt-4">
      <SwitchField
        label="Require two-factor sign-in"
        hint="Users without an authenticator app or passkey can only open their account page to add one."
        checked={account.data.isSecondFactorRequired}
        disabled={saving.isPending}
        onChange={(event) => saving.mutate(event.target.checked)}
      />
    </section>
  );
}

export const handle = adminHandle("People");

type Open =
  | { kind: "invite" }
  | { kind: "link"; created: CreatedInvitation }
  | { kind: "role" | "sessions"; person: Person };

export function Component() {
  const user = useContext(AdminUser);
  const list = useQuery(peopleQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const changes = usePersonChanges();
  const close = () => setOpen(null);
  const onCreated = (created: CreatedInvitation) => setOpen({ kind: "link", created });

  const people = list.data?.people;
  const isOwner = people?.find(({ id }) => id === user?.id)?.role === "OWNER";
  const columns = peopleColumns({
    ownId: user?.id,
    canManage: ({ role }) => role !== "OWNER" || isOwner,
    changeRole: (person) => setOpen({ kind: "role", person }),
    showSessions: (person) => setOpen({ kind: "sessions", person }),
    setDisabled: (person, isDisabled) => void changes.setDisabled(person, isDisabled),
    remove: (person) => void changes.remove(person),
  });

  return (
    <>
      <PageHeader
        title="People"
        note={countNote(list, (data) => countOf(data.people.length, "user"))}
      >
        <Button kind="primary" onClick={() => setOpen({ kind: "invite" })}>
          <UserPlusIcon aria-hidden="true" className="size-4" />
          Invite
        </Button>
      </PageHeader>
      <DataTable
        query={list}
        failed="Failed to load the users"
        label="People"
        columns={columns}
        rows={people}
        rowId={({ id }) => id}
        skeletonRows={3}
        empty={<EmptyState title="Failed to load the users" />}
      />
      {list.data === undefined || list.data.invitations.length === 0 ? null : (
        <InvitationTable invitations={list.data.invitations} onCreated={onCreated} />
      )}
      {isOwner ? <TokenTable /> : null}
      <FactorRule />
      {open?.kind === "invite" ? (
        <InviteDialog canInviteOwners={isOwner} onCreated={onCreated} onClose={close} />
      ) : null}
      {open?.kind === "link" ? <InvitationLink created={open.created} onClose={close} /> : null}
      {open?.kind === "role" ? (
        <RoleDialog person={open.person} canMakeOwner={isOwner} changes={changes} onClose={close} />
      ) : null}
      {open?.kind === "sessions" ? <SessionsDialog person={open.person} onClose={close} /> : null}
    </>
  );
}
