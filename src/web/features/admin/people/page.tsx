import { useQuery } from "@tanstack/react-query";
import { UserPlusIcon } from "lucide-react";
import { useContext, useState } from "react";
import type { CreatedInvitation, Person } from "#contract/accounts/people.ts";
import { Button } from "#web/components/ui/button.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { adminHandle } from "../shared/admin-handle.ts";
import { DataTable } from "../shared/data-table.tsx";
import { countNote } from "../shared/count-note.ts";
import { PageHeader } from "../shared/page-header.tsx";
import { AdminUser } from "../shared/use-can.ts";
import { peopleQuery } from "./calls.ts";
import { FactorRule } from "./factor-rule.tsx";
import { InvitationTable } from "./invitation-table.tsx";
import { InvitationLink, InviteDialog } from "./invite-dialog.tsx";
import { peopleColumns } from "./people-columns.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import { SessionsDialog } from "./sessions-dialog.tsx";
import { TokenTable } from "./token-table.tsx";
import { usePersonChanges } from "./use-person-changes.ts";

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
